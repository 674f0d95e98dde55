import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/** The program that tools attach to. Says "ready", then answers each line of its input. */
public class Target {
    static class Marker { long a, b; }

    static final Object lock = new Object();
    static List<Marker> kept = new ArrayList<>();

    static void parked() {
        synchronized (lock) {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1234; i++) kept.add(new Marker());
        Thread waiting = new Thread(Target::parked, "waiting one");
        waiting.setDaemon(true);
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) Thread.onSpinWait();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) System.out.println(line + " " + kept.size());
    }
}
