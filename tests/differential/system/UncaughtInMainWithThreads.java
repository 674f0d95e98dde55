// main dies of an exception while another thread goes on: the VM waits, then exits with 1.
public class UncaughtInMainWithThreads {
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            try { main.join(); } catch (InterruptedException e) { throw new Error(e); }
            System.out.println("still working");
        }).start();
        throw new IllegalStateException("main ends here");
    }
}
