// Static members used by JNI beside their class's initializer, and after it has failed. Agent:
// tests/agents/initializing.c
public class Initializing {
    static native void take(Class<?> c);
    static native void use();

    static class Owner {
        static int field = 3;
        static int method() { return 4; }

        static {
            take(Owner.class);
            Thread beside = new Thread(Initializing::use, "beside");
            beside.setDaemon(true);
            beside.start();
            try {
                beside.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            System.out.println("beside: done");
            if (field > 0) throw new IllegalStateException("as asked");
        }
    }

    public static void main(String[] args) {
        try {
            Owner.method();
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getCause());
        }
        use();
        try {
            Owner.method();
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
    }
}
