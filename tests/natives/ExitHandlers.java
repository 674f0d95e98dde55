/** Ends with a library loaded whose destructor asks for the VM; an agent has written before. */
public class ExitHandlers {
    public static void main(String[] args) {
        System.load(args[0]);
        System.out.println("main ends");
    }
}
