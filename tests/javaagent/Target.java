public class Target {
    static int count;
    static {
        System.out.println("Target.<clinit>");
        count = 5;
    }
    int field = 3;
    String greet() { return "hello world"; }
    String around(Runnable r) {
        r.run();
        return "the hello that was running, and " + greet();
    }
}
