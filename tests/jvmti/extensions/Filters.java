// Calls and allocations in known numbers, counted by the agent filters: by events, by filters, by filters that want
// the event as well, and with a second environment beside. The numbers are the same each time.
public class Filters {
    static final int EVENTS = 0, FILTERS = 1, FILTERS_AND_EVENTS = 2, SECOND_BESIDE = 3, TAKEN_BACK = 4,
                     SECOND_ALONE = 5, TOGGLED = 6;

    static native void begin(int way);
    static native void end();
    static native void toggle();
    static native int touch(int n);
    static native void notifyPop();
    static native void returnEarly(Thread t, int value);
    static native void popFrame(Thread t);
    static native boolean beginAllocations(Class<?> c);
    static native void endAllocations(Object[] all);

    static int recursive(int n) { return n == 0 ? 0 : recursive(n - 1) + 1; }
    static void raise(int n) { if (n == 0) throw new IllegalStateException(); raise(n - 1); }
    static int catching() {
        try { raise(4); return 0; } catch (IllegalStateException e) { return 1; }
    }
    static synchronized int locked(int n) { return n + 1; }
    static void inThread() { for (int i = 0; i < 10; i++) locked(i); }
    static int notified() { notifyPop(); return 1; }
    static void running(int way) { begin(way); }

    static volatile boolean spinning, stop;
    static volatile int answer;
    static int spin() { spinning = true; while (!stop) continue; return 1; }
    static int respin() { spinning = true; while (!stop) continue; return 2; }

    static Thread spinner(boolean again) {
        spinning = stop = false;
        Thread t = new Thread(() -> answer = again ? respin() : spin(), "spinner");
        t.start();
        while (!spinning) Thread.onSpinWait();
        return t;
    }

    static void count(String headline, int way) throws Exception {
        System.out.println("== " + headline);
        Thread before = spinner(false);
        running(way);
        for (int i = 0; i < 3; i++) {
            recursive(20);
            catching();
            touch(i);
        }
        notified();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(Filters::inThread, "short");
            t.start();
            t.join();
        }
        stop = true;
        before.join();
        Thread early = spinner(false);
        returnEarly(early, 7);
        early.join();
        System.out.println("returned early " + answer);
        Thread popped = spinner(true);
        popFrame(popped);
        stop = true;
        popped.join();
        System.out.println("popped " + answer);
        end();
    }

    /* Filters come and go while a thread calls methods: each call is counted one way or the other. */
    static void toggled() throws Exception {
        System.out.println("== set and taken back all the time");
        running(TOGGLED);
        Thread t = new Thread(() -> { for (int i = 0; i < 20000; i++) recursive(9); }, "calling");
        t.start();
        while (t.isAlive()) toggle();
        t.join();
        end();
    }

    static class Thing { int value; }

    public static void main(String[] args) throws Exception {
        new Thing();
        for (int i = 0; i < 2; i++) {
            count("events", EVENTS);
            count("filters", FILTERS);
            count("filters and events", FILTERS_AND_EVENTS);
            count("beside a second environment", SECOND_BESIDE);
            count("taken back", TAKEN_BACK);
            count("a second environment, which ends", SECOND_ALONE);
        }
        toggled();
        System.out.println("== allocations");
        if (beginAllocations(Thing.class)) {
            Object[] all = new Object[1000];
            for (int i = 0; i < all.length; i++) all[i] = new Thing();
            endAllocations(all);
        }
    }
}
