// For tests/embed/loads.c: a thread that loads a field in native code, for ever.
public class Loads {
    int number = 42;
    static native void load(Loads o, int k);

    static class Sub extends Loads { }

    static void start(int k) {
        Loads o = k % 2 == 0 ? new Loads() : new Sub();
        Thread t = new Thread(() -> load(o, k));
        t.setDaemon(true);
        t.start();
    }
}
