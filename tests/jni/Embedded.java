// Run by tests/embed/invocation.c.
public class Embedded {
    /** The thread that calls DestroyJavaVM is attached again under this name. */
    static boolean destroying(ThreadGroup group) {
        Thread[] threads = new Thread[100];
        for (int i = group.enumerate(threads) - 1; i >= 0; i--)
            if (threads[i].getName().equals("DestroyJavaVM")) return true;
        return false;
    }

    public static int run(int a) {
        System.out.println("embedded=" + System.getProperty("embedded") + " loader "
                           + (Embedded.class.getClassLoader() == ClassLoader.getSystemClassLoader()));
        System.out.println("context loader "
                           + (Thread.currentThread().getContextClassLoader() == ClassLoader.getSystemClassLoader()));
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread user = new Thread(() -> {
            // DestroyJavaVM is called with this thread alive, and nothing else is printed until this thread has ended.
            try {
                while (!destroying(group)) Thread.sleep(1);
                Thread.sleep(50);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
            System.out.println("the user thread ends");
        });
        user.start();
        Runtime.getRuntime().addShutdownHook(
            new Thread(() -> System.out.println("shutdown hook, user thread alive " + user.isAlive())));
        return a * 2 + 2;
    }
}
