public class Natives {
    static native int value(int n);
    static native int register(Class<?> c, String name);
}
