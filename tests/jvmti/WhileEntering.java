// Compiled methods of which a tool (agent while_entering) watches entries and exits, and uses one of these events to do
// something to the frame, or to its caller: they go on as that says.
public class WhileEntering {
    static final int TURNS = 30_000;
    static int written;

    /** The events are sent from now on; at the next entry, or exit, of inner the agent does that. */
    static native void next(boolean exit, int what);
    static native int kinds();
    static native String kind(int what);

    static int inner(int n) {
        int a = n + 1;
        written = a;
        return a * 2;
    }

    static int outer(int n) {
        int kept = n;
        int r = inner(n);
        written = r;
        return r + kept;
    }

    static String called(int n) {
        try {
            return "" + outer(n);
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    static void warm() {
        next(false, 0);
        int sum = 0;
        for (int i = 0; i < TURNS; i++) sum += outer(i);
        System.out.println("  again: " + sum);
    }

    public static void main(String[] args) {
        for (int what = 0; what < kinds(); what++)
            for (boolean exit : new boolean[] {false, true}) {
                warm();
                System.out.println((exit ? "exit: " : "entry: ") + kind(what));
                next(exit, what);
                String result = called(5);
                next(false, 0);
                System.out.println("  " + result + ", " + written);
            }
        warm();
    }
}
