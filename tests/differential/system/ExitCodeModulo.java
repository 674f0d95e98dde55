// An exit code outside 0..255 is cut by the system; a hook may still call halt with its own.
public class ExitCodeModulo {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.exit(-2);
    }
}
