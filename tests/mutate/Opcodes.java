/* Instruction lengths of sound code. */
final class Opcodes {
    private Opcodes() {}

    /* JVMS 6.5 by number, '?' computed. */
    private static final String LENGTHS =
        "11111111111111112323322222111111111111111111111111"
        + "11112222211111111111111111111111111111111111111111"
        + "11111111111111111111111111111111311111111111111111"
        + "11133333333333333332??111111333333355323113311?433"
        + "55";

    static int length(byte[] code, int at) {
        int op = code[at] & 255;
        if (op == 0xaa || op == 0xab) {
            int table = (at + 4) & ~3;
            return table - at
                + (op == 0xaa ? 12 + 4 * (s4(code, table + 8) - s4(code, table + 4) + 1) : 8 + 8 * s4(code, table + 4));
        }
        if (op == 0xc4) return (code[at + 1] & 255) == 0x84 ? 6 : 4;
        return LENGTHS.charAt(op) - '0';
    }

    private static int s4(byte[] b, int at) {
        return (b[at] & 255) << 24 | (b[at + 1] & 255) << 16 | (b[at + 2] & 255) << 8 | b[at + 3] & 255;
    }
}
