// Prints to both streams; the smallest program.
public class HelloOutput {
    public static void main(String[] args) {
        System.out.println("Hello, World");
        System.err.println("and the error stream");
        System.out.println(args.length);
    }
}
