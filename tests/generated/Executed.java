/** How often each instruction has been executed, in programs that were generated to tell. */
public final class Executed {
    static final long[] counts = new long[256];

    private Executed() {}

    public static void one(int opcode) { counts[opcode]++; }
}
