// What the programs Execution ask of their agent.
public class ExecutionControl {
    static final int EXCEPTION = 58, CATCH = 59, STEP = 60, POP = 61, BREAKPOINT = 62, ACCESS = 63, MODIFICATION = 64,
                     ENTRY = 65, EXIT = 66;
    static final int SET_ACCESS = 0, CLEAR_ACCESS = 1, SET_MODIFICATION = 2, CLEAR_MODIFICATION = 3;
    static native void breakpoint(boolean set, Class<?> c, String name, String desc, long at);
    static native void event(int event, boolean on, Thread t);
    static native void action(String what);
    static native long steps();
    static native void watch(int kind, Class<?> c, String name, String desc, boolean isStatic);
    static native void touch(Object o);
    static native void errors(Thread running);
    static native void tables(Class<?> c);
}
