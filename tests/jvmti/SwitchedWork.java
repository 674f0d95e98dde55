import java.util.function.IntUnaryOperator;

/** What is watched in Switches: each of its threads has this class of a loader of its own. */
public class SwitchedWork implements IntUnaryOperator {
    static final IllegalStateException FAILURE = new IllegalStateException();
    static Object kept;
    int read = 1, written;

    /** Every kind of event comes once in a turn, SingleStep in leaf four times. */
    public int applyAsInt(int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) sum += turn(i);
        return sum;
    }

    int turn(int i) {
        int caught = 0;
        Switches.arrive();
        written = i;
        kept = new int[7];
        try {
            fail(i);
        } catch (IllegalStateException e) {
            caught = 1;
        }
        return leaf(read + i) + caught;
    }

    static void fail(int i) {
        if (i >= 0) throw FAILURE;
    }

    static int leaf(int i) { return i * 3; }
}
