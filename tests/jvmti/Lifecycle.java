// Starts a thread and initialises classes; the agent lifecycle prints what is sent to it.
public class Lifecycle {
    static class First { static int value = print("First is initialised"); }
    static class Second extends First { static int value = print("Second is initialised"); }
    interface Third { int VALUE = print("Third is initialised"); }

    static int print(String text) {
        System.out.println(text);
        return text.length();
    }

    public static void main(String[] args) throws Exception {
        print("main runs");
        int sum = Second.value + Third.VALUE;
        Thread t = new Thread("Lifecycle thread") { @Override public void run() { print("thread runs"); } };
        t.start();
        t.join();
        print("main ends " + sum);
    }
}
