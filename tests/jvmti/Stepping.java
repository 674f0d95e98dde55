// Methods in which the agent stepping lets steps begin in the callback of another event.
public class Stepping {
    /** Steps begin in that event of the agent's list from now on; -1: in none. */
    static native void watch(int event);

    static int steppedCallee(int a) {
        int b = a;
        return b + 1;
    }
    static int steppedHere(int a) {
        int r = 0;
        try {
            r = steppedCallee(a);
            if (r > 0) throw new IllegalStateException();
        } catch (IllegalStateException e) {
            r = 3;
            r += a;
        }
        return r;
    }
    static int thrower(int[] x) { return x[1]; }
    static int steppedFar(int a) {
        int r = 0;
        try {
            r = thrower(new int[1]);
        } catch (ArrayIndexOutOfBoundsException e) {
            r = 4;
            r += a;
        }
        return r;
    }

    static class ByCall {
        static int value = Integer.parseInt("1");
        static int get() { return value; }
    }
    static class ByField {
        static int value = Integer.parseInt("2");
    }
    static class ByNew {
        static int value = Integer.parseInt("3");
    }
    static int steppedCall() { return ByCall.get(); }
    static int steppedField() { return ByField.value; }
    static Object steppedNew() { return new ByNew(); }
    static Runnable steppedLambda() { return () -> { }; }

    /** Each resolves a name for the first time, before the first step: which of what that runs is stepped through? */
    static void resolve() {
        watch(3);
        steppedCall();
        watch(-1);
        watch(3);
        steppedField();
        watch(-1);
        watch(3);
        steppedNew();
        watch(-1);
        watch(3);
        steppedLambda();
        watch(-1);
    }

    static void each(String when) {
        for (int event = 0; event < 5; event++) {
            System.out.println(when + " " + event);
            watch(event);
            int r = steppedHere(1);
            watch(-1);
            watch(event);
            r += steppedFar(1);
            watch(-1);
            System.out.println(r);
        }
    }

    public static void main(String[] args) {
        resolve();
        steppedHere(1);
        steppedFar(1);
        each("not hot");
        int sum = 0;
        for (int i = 0; i < 30000; i++) sum += steppedHere(i) + steppedFar(i);
        System.out.println(sum);
        each("hot");
    }
}
