/** A system class loader to whose path nothing can be appended. */
public class PlainLoader extends ClassLoader {
    public PlainLoader(ClassLoader parent) { super(parent); }

    static native void run();

    public static void main(String[] args) { run(); }
}
