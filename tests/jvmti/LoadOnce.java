// A class of the boot loader that two threads want at once is read, and shown to tools, once. Agent:
// tests/agents/load_once.c
public class LoadOnce {
    static native void awaitFirst();
    static native int hooks();

    static Class<?> load(String name) {
        try {
            return Class.forName("java.util.concurrent." + name, false, null);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?>[] found = new Class<?>[2];
        Thread first = new Thread(() -> found[0] = load("Phaser"), "first");
        first.start();
        if (args.length > 0) {
            System.out.println(load("Exchanger"));
            first.join();
            System.out.println(found[0]);
            return;
        }
        awaitFirst();
        found[1] = load("Phaser");
        first.join();
        System.out.println("the same class: " + (found[0] == found[1]) + ", hooks: " + hooks());
    }
}
