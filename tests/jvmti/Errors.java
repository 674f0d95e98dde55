// Objects of the wrong kind for the agent errors.
public class Errors {
    int field;

    static native void run(Object object, Thread fresh, Thread done, Class<?> array);

    public static void main(String[] args) throws Exception {
        Thread done = new Thread(), fresh = new Thread();
        done.start();
        done.join();
        run("not a thread", fresh, done, int[].class);
    }
}
