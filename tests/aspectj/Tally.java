import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How often each advice ran. Not woven itself. */
public class Tally {
    private static final TreeMap<String, AtomicInteger> counts = new TreeMap<>();

    static synchronized void count(String what) {
        counts.computeIfAbsent(what, k -> new AtomicInteger()).incrementAndGet();
    }
    static synchronized String text() { return "tally " + counts; }
}
