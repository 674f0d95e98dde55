// A main class whose main method takes an argument of the wrong type: the launcher's message and exit code.
public class MissingMain {
    public static void main(int args) {
        System.out.println("never");
    }
}
