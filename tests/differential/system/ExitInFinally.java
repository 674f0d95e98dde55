// System.exit inside try: no finally block runs, code 42 survives, output is flushed.
public class ExitInFinally {
    public static void main(String[] args) {
        try {
            System.out.print("no newline");
            System.exit(42);
        } finally {
            System.out.println("must not appear");
        }
    }
}
