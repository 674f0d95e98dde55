// Run by tests/embed/static_natives.c, which holds its native method.
public class StaticNatives {
    static native int answer(int a);

    static void load(String name) {
        try {
            System.loadLibrary(name);
            System.out.println(name + " loaded");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().replaceAll("java.library.path: .*", "java.library.path"));
        }
    }

    public static void main(String[] args) {
        try {
            System.out.println(answer(0));
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        load("missing");
        load("tooold");
        load("builtin");
        load("builtin");
        System.out.println(answer(1));
    }
}
