import java.util.StringJoiner;
import java.util.concurrent.Callable;

/** What Byte Buddy changes in tests/bytebuddy/Program.java. */
public class Changed {
    private int calls;

    public String greet(String who, long times) { return "hello " + who + " x" + times; }

    public int divide(int a, int b) {
        calls++;
        return a / b;
    }

    public int during(Callable<?> action) throws Exception {
        int before = answer();
        action.call();
        return before * 1000 + answer();
    }

    public int answer() { return 42; }
    public int calls() { return calls; }
    public static int plain(int n) { return n + 1; }
    public static String joined() { return new StringJoiner("+", "{", "}").add("a").add("b").toString(); }
}
