import java.io.PrintStream;

/** How often each instruction has been executed, in programs that were generated to tell. */
public final class Executed {
    static final long[] counts = new long[ClassAssembler.opcode("jsr_w") + 1];

    private Executed() {}

    public static void one(int opcode) { counts[opcode]++; }

    static void print(PrintStream out) {
        for (int op = 0; op < counts.length; op++)
            out.println("executed " + ClassAssembler.mnemonic(op) + " " + counts[op]);
    }
}
