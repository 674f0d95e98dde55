// Loaded by several loaders, each with a library of its own.
public class Loaded {
    static native int registered();
    static native int count();
    static native int loads();
    static native int unregister();

    public static void load(String path) { System.load(path); }
    public static String use() { return "count " + count() + ", registered " + registered() + ", loads " + loads(); }
    public static String after() { return "unregistered " + unregister() + ", registered " + registered(); }
}
