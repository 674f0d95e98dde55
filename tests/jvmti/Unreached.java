/* Breakpoints and watched fields in a hot method, in code that is reached never, then now and then, then often; frame
 * pops that a hot method asks for each time (agent unreached). The lines say what was computed and reported; between
 * them the VM's own lines say what it compiles. */
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

    /* Comparisons and branches, a switch, an array, a call: breakpoints stand at each instruction in turn. */
    static int mixed(long a, double b, int c, int[] d) {
        int sum = a < 5 ? 1 : 2;
        if (b > 0.5) sum += 4;
        if (a == c) sum ^= 8;
        switch (c & 3) {
            case 0: sum += d[c & 7]; break;
            case 1: d[c & 7] = sum; break;
            default: sum -= hot(c);
        }
        return sum;
    }

    static int mix(int n) {
        int sum = 0;
        int[] d = {1, 2, 3, 4, 5, 6, 7, 8};
        for (int i = 0; i < n; i++) sum = sum * 31 + mixed(i & 15, i * 0.125 - 3, i & 31, d);
        return sum;
    }

    /* False: no instruction of `mixed` begins there. HotSpot sets one all the same. */
    static native boolean breakAt(int bci, boolean set);

    static void everywhere() {
        int places = 0, sum = mix(TURNS);
        for (int bci = 0; bci < 200; bci++) {
            if (!breakAt(bci, true)) continue;
            places++;
            for (int i = 0; i < 5; i++)
                if (mix(TURNS) != sum) System.out.println("FAILED: another result, breakpoint at " + bci);
            breakAt(bci, false);
        }
        say(places + " places", sum);
    }

    /* A FramePop of the frame that calls, while that is on. */
    static native void ask();
    static native void asking(boolean on);

    static int asked(int x) {
        ask();
        return x * 31 ^ x >>> 3;
    }

    static int asks(int from, int n) {
        int sum = 0;
        for (int i = from; i < from + n; i++) sum += asked(i);
        return sum;
    }

    static int askLoop(int loops, int turns) {
        int sum = 0;
        for (int i = 0; i < loops; i++) sum += asks(i, turns);
        return sum;
    }

    static int loop() {
        int sum = 0;
        for (int i = 0; i < LOOPS; i++) sum += turn(i, TURNS);
        return sum;
    }

    static void say(String what, int sum) { System.out.println(what + ": " + sum + ", " + events()); }

    public static void main(String[] args) {
        if (args.length > 0) {
            everywhere();
            return;
        }
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
        say("not asked", askLoop(LOOPS, TURNS));
        asking(true);
        say("popped", askLoop(COLD, TURNS));
        asking(false);
        say("popped no more", askLoop(4 * LOOPS, TURNS));
    }
}
