// Runtime.halt ends at once: no hooks, no finally blocks, exit code 9.
public class HaltSkipsHooks {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook must not run")));
        Thread t = new Thread(() -> {
            try {
                Runtime.getRuntime().halt(9);
            } finally { System.out.println("finally must not run"); }
        });
        System.out.println("halting");
        t.start();
        t.join();
    }
}
