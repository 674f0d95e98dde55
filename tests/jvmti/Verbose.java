/**
 * What SetVerboseFlag switches on and off: the agent verbose. Each headline says which flag is how; what is logged
 * below it is the VM's.
 */
public class Verbose {
    static class OnOne { }
    static class OffOne { }
    static class OnTwo { }
    static class OffTwo { }

    static final int OTHER = 0, GC = 1, CLASS = 2, JNI = 4;
    static native void set(int flag, boolean on);
    static native void onNative();
    static native void offNative();

    static void head(String text) {
        System.out.println("== " + text);
    }

    public static void main(String[] args) throws Exception {
        set(CLASS, true);
        head("class on");
        Class.forName("Verbose$OnOne");
        set(CLASS, false);
        head("class off");
        Class.forName("Verbose$OffOne");
        set(GC, true);
        head("gc on");
        System.gc();
        set(GC, false);
        head("gc off");
        System.gc();
        set(JNI, true);
        head("jni on");
        onNative();
        set(JNI, false);
        head("jni off");
        offNative();
        set(OTHER, true);
        head("other on");
        Class.forName("Verbose$OnTwo");
        set(OTHER, false);
        head("other off");
        Class.forName("Verbose$OffTwo");
        System.gc();
    }
}
