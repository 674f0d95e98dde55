// Methods that end in each way, whose exits the agent exit_pop answers by asking for frame pops.
public class ExitPop {
    /** From now on the agent asks, at the exit of the innermost method, for the pops of so many frames; fewer than
     *  none: no events. With `again` it asks for the same frame once more when it is told of the pop. */
    static native void watch(int frames, boolean again);
    static native int foreign(int n);

    static int inner(int n) {
        if (n < 0) throw new IllegalStateException("inner");
        return n + 1;
    }
    static synchronized long locked(int n) {
        if (n < 0) throw new IllegalStateException("locked");
        return n * 3L;
    }
    static long middle(int kind, int n) {
        return kind == 0 ? inner(n) : kind == 1 ? locked(n) : foreign(n);
    }
    static long outer(int kind, int n) {
        try {
            return middle(kind, n) + 1;
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    static void each(String what, int frames, boolean again) {
        for (int kind = 0; kind < 3; kind++)
            for (int n : new int[] {5, -5}) {
                System.out.println(what + ", " + frames + " frames, " + kind + " with " + n);
                watch(frames, again);
                long result = outer(kind, n);
                watch(-1, false);
                System.out.println("  " + result);
            }
    }

    public static void main(String[] args) {
        for (int frames = 0; frames <= 3; frames++) each("not hot", frames, false);
        each("asks again", 1, true);
        long sum = 0;
        for (int i = 0; i < 60000; i++) sum += outer(i % 3, i % 7 == 0 ? -i : i);
        System.out.println(sum);
        for (int frames = 0; frames <= 3; frames++) each("hot", frames, false);
        each("hot, asks again", 2, true);
    }
}
