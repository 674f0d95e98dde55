// Signals through sun.misc.Signal: own handlers, raise, restore, reserved names; the handler runs in a thread of its
// own.
import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;
import sun.misc.SignalHandler;

public class Signals {
    public static void main(String[] args) throws Exception {
        CountDownLatch first = new CountDownLatch(1), second = new CountDownLatch(1);
        SignalHandler old = Signal.handle(new Signal("USR1"), s -> {
            System.out.println("got " + s + " " + s.getName() + " " + s.getNumber() + " in another thread "
                               + !Thread.currentThread().getName().equals("main"));
            first.countDown();
        });
        System.out.println(old == SignalHandler.SIG_DFL);
        Signal.raise(new Signal("USR1"));
        first.await();
        SignalHandler mine = s -> second.countDown();
        Signal.handle(new Signal("HUP"), mine);
        new ProcessBuilder("/bin/kill", "-HUP", Long.toString(ProcessHandle.current().pid())).start().waitFor();
        second.await();
        System.out.println(Signal.handle(new Signal("HUP"), SignalHandler.SIG_IGN) == mine);
        new ProcessBuilder("/bin/kill", "-HUP", Long.toString(ProcessHandle.current().pid())).start().waitFor();
        System.out.println("ignored");
        for (String bad : new String[] {"NOPE", "SEGV", "KILL", "QUIT", "FPE"}) {
            try {
                Signal.handle(new Signal(bad), mine);
                System.out.println(bad + " taken");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(new Signal("TERM").equals(new Signal("TERM")) + " " + new Signal("INT").hashCode());
    }
}
