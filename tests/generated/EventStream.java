/**
 * What tools are told of the programs: the agent tests/agents/event_stream.c draws for each program, by its number,
 * which events it enables, and sums them up. Without -Dgenerated.events=true there is no such agent, and nothing is
 * asked.
 */
final class EventStream {
    private static final boolean IS_THERE = Boolean.getBoolean("generated.events");

    private EventStream() {}

    private static native void beginProgram(int number);
    private static native void beginRound(int round);
    private static native String endProgram();

    /** This thread begins to run the program of that number. */
    static void begin(int number) {
        if (IS_THERE) beginProgram(number);
    }

    static void round(int round) {
        if (IS_THERE) beginRound(round);
    }

    /** How many events of the program there were, and their checksum; empty without an agent. */
    static String end() { return IS_THERE ? endProgram() + " " : ""; }
}
