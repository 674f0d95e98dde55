// For agent disposal: environments come and go, each of them using everything.
public class Disposal {
    static int field;
    int own;

    static native void cycle(Thread other, Object[] objects);
    static native void judge();
    static native void prepare(Class<?> retransformed);

    static int target(int n) {
        field = n;
        try {
            if (n >= 0) throw new IllegalStateException();
        } catch (IllegalStateException e) {
            new Disposal().own = field;
        }
        return n;
    }

    static class Loaded { }

    public static void main(String[] args) throws Exception {
        Object[] objects = new Object[20000];
        for (int i = 0; i < objects.length; i++) objects[i] = new byte[i % 64];
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                try { while (true) lock.wait(); } catch (InterruptedException e) { return; }
            }
        }, "other");
        other.start();
        while (other.getState() != Thread.State.WAITING) Thread.sleep(1);
        target(1);
        prepare(Loaded.class);
        for (int i = 0; i < 200; i++) {
            cycle(other, objects);
            System.gc();
        }
        judge();
        other.interrupt();
        other.join();
    }
}
