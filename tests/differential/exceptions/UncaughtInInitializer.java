// The main class's own initialiser throws: the launcher reports it and exits with 1.
public class UncaughtInInitializer {
    static final int VALUE = compute();
    static int compute() { return Integer.parseInt("not a number"); }
    public static void main(String[] args) {
        System.out.println("never");
    }
}
