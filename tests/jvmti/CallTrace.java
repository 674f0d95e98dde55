/* Places at which a signal asks for the stack (agent calltrace). */
public class CallTrace {
    static native void here(String label, int depth);
    static native void foreign();
    static native void start();
    static native boolean enough();
    static native boolean collectionSeen();
    static native void stop();

    interface Shape { int area(int n); }
    static class Square implements Shape {
        Square() { here("constructor", 512); }
        public synchronized int area(int n) { here("interface, synchronized", 512); return n * n; }
    }
    static class Initialised {
        static final int VALUE;
        static { here("class initialiser", 512); VALUE = 7; }
    }
    static void deep(int n) {
        if (n > 0) deep(n - 1);
        else here("deep, the ten youngest", 10);
    }
    static int count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }
    static void called() { here("called by a native thread", 512); }
    static void caught() {
        try {
            throw new IllegalStateException("thrown");
        } catch (IllegalStateException e) {
            here("handler", 512);
        } finally {
            here("finally", 512);
        }
    }

    static void sync() throws Exception {
        here("main", 512);
        here("no room", 0);
        new Square().area(Initialised.VALUE);
        deep(40);
        caught();
        Thread t = new Thread(CallTrace::called, "watched");
        t.start();
        t.join();
        foreign();
    }

    static long hot(int n) {
        long sum = n;
        for (int i = 0; i < n; i++) {
            sum = sum * 31 + (i ^ sum >>> 7);
            if ((sum & 3) == 1) sum += i;
        }
        return sum;
    }

    static void sample(boolean collections) {
        start();
        long sum = 0;
        while (!enough()) sum += hot(200000);
        stop();
        if (!collections) return;
        Object[] live = new Object[1 << 18];
        for (int i = 0; i < live.length; i++) live[i] = new int[2];
        start();
        while (!collectionSeen()) System.gc();
        System.out.println("collection seen: " + (live[sum == 0 ? 1 : 2] != null));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("sync")) sync();
        else sample(args[0].equals("stress"));
    }
}
