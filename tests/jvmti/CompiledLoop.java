/* What tools do to a thread that runs a loop in compiled code (agent compiled_loop). Nothing in the loop leaves it by
 * itself once its fields are resolved. */
public class CompiledLoop {
    static native void breakpoint();
    static native void reached();
    static native void steps(Thread t, int count);
    static native void watch();
    static native void suspend(Thread t);
    static native void resume(Thread t);
    static native String position(Thread t);
    static native int local(Thread t);
    static native void setLocal(Thread t, int value);
    static native void pop(Thread t);
    static native void returnEarly(Thread t, int value);
    static native void stop(Thread t, Throwable e);
    static native void notifyPop(Thread t);
    static native void exits(Thread t);
    static native String events();
    /* Makes the caller's local variable 0 null. */
    static native void takeReceiver();

    static volatile boolean done;
    static volatile int turns, watched;

    static int spin() {
        int n = 0;
        while (!done) {
            n++;
            turns = n & 0xffff | 1;
        }
        watched = n;
        return n;
    }

    int field = 7;

    int without() {
        takeReceiver();
        return field;
    }

    int withoutInLoop() {
        int n = 0;
        for (int i = 0; i < 5000; i++) {
            if (i == 10) takeReceiver();
            n += i < 4000 ? i : field;
        }
        return n;
    }

    static void withoutReceiver() {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(i == 0 ? new CompiledLoop().without() : new CompiledLoop().withoutInLoop());
            } catch (NullPointerException e) {
                System.out.println("no receiver, " + e.getStackTrace()[0]);
            }
        }
    }

    interface Tool { void use(Thread t) throws Exception; }

    /* Lets `tool` loose on a thread that is in the loop. */
    static void loop(String name, boolean ends, Tool tool) throws Exception {
        int[] result = {0};
        done = false;
        turns = 0;
        Thread t = new Thread(() -> {
            try {
                result[0] = spin();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        });
        t.start();
        while (turns == 0) Thread.onSpinWait();
        tool.use(t);
        if (ends) done = true;
        t.join();
        System.out.println(name + ": " + (result[0] == -5 || result[0] == 42 ? result[0] : result[0] > 0 ? 1 : 0)
                           + " " + events());
    }

    static void moves() {
        turns = 0;
        while (turns == 0) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        done = true;
        for (int i = 0; i < 3; i++) spin();
        withoutReceiver();
        loop("nothing", true, t -> moves());
        loop("collection", true, t -> { for (int i = 0; i < 5; i++) System.gc(); moves(); });
        loop("breakpoint", true, t -> { breakpoint(); reached(); moves(); });
        breakpoint();
        loop("breakpoint before", true, t -> { reached(); moves(); });
        loop("again", true, t -> moves());
        loop("steps", true, t -> { steps(t, 50); moves(); });
        loop("suspended", true, t -> {
            suspend(t);
            System.out.println(position(t) + " " + (local(t) > 0));
            resume(t);
            moves();
        });
        loop("local", true, t -> {
            suspend(t);
            setLocal(t, 1 << 20);
            System.out.println(local(t) == 1 << 20);
            resume(t);
            moves();
        });
        loop("watch", true, t -> watch());
        watch();
        loop("watched before", true, t -> moves());
        loop("popped", true, t -> {
            suspend(t);
            pop(t);
            resume(t);
            moves();
        });
        loop("early", false, t -> { suspend(t); returnEarly(t, 42); resume(t); });
        loop("stopped", false, t -> stop(t, new IllegalStateException("stopped it")));
        loop("pop event", true, t -> { suspend(t); notifyPop(t); resume(t); moves(); });
        loop("exit event", true, t -> { exits(t); moves(); });
        loop("nothing", true, t -> moves());
    }
}
