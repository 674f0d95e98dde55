/* Breakpoints and watched fields in a hot method, in code that is reached never, then now and then, then often (agent
 * unreached). The lines say what was computed and reported; between them the VM's own lines say what it compiles. */
public class Unreached {
    static final int TURNS = 10_000, LOOPS = 100, COLD = 10;

    /* `breakpoint`, `access` or `modification`, of the lines marked in `hot`. */
    static native void begin(String what);
    static native void end();
    /* Events until now, and the sum of the local variable x in their frames. */
    static native String events();

    static int stored, looked = 5;

    static int hot(int x) {
        if (x < 0) {
            stored = x;                         // breakpoint, modification
            if (x == -7) x += looked;           // access
        }
        return x * 31 ^ x >>> 3;
    }

    static int turn(int from, int n) {
        int sum = 0;
        for (int i = from; i < from + n; i++) sum += hot(i);
        return sum;
    }

    static int loop() {
        int sum = 0;
        for (int i = 0; i < LOOPS; i++) sum += turn(i, TURNS);
        return sum;
    }

    static void say(String what, int sum) { System.out.println(what + ": " + sum + ", " + events()); }

    public static void main(String[] args) {
        say("before", loop());
        for (String what : new String[] {"breakpoint", "access", "modification"}) {
            begin(what);
            say(what + " that nothing reaches", loop());
            say("reached", turn(-COLD, 2 * COLD));
            say("not reached again", loop());
            int sum = 0;
            for (int i = 0; i < LOOPS; i++) sum += turn(-COLD, 2 * COLD);
            say("often", sum);
            say("in turn", loop() + turn(-COLD, 2 * COLD));
            end();
            say("cleared", loop() + turn(-COLD, 2 * COLD));
        }
    }
}
