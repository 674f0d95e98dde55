// The local variables that java.lang.LiveStackFrame shows: values of each type, and variables that have none yet. What
// lies in the first half of a long or double parameter, or was left behind by a block, is HotSpot's chance.
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class LiveFrames {
    static StackWalker walker;
    static Method locals;

    static String text(Object slot) {
        if (slot == null) return "null";
        if (slot instanceof String) return "\"" + slot + "\"";
        if (!slot.getClass().getName().startsWith("java.lang.LiveStackFrame")) return slot.getClass().getName();
        return Long.toString(Long.parseLong(slot.toString()));
    }

    /** Slots of the caller, `first` and the ones behind it. */
    static void show(String what, int first) {
        System.out.print(what + ":");
        Object[] slots = walker.walk(frames -> {
            try {
                return (Object[]) locals.invoke(frames.skip(1).findFirst().get());
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new AssertionError(e);
            }
        });
        for (int i = first; i < slots.length; i++) System.out.print(" " + text(slots[i]));
        System.out.println();
    }

    static void notYet(int a) {
        show("no variable yet", 0);
        long l = 5;
        double d = 2.5;
        show("long and double", 0);
        String s = "text";
        Object none = null;
        show("references", 0);
        int i = (int) l + a;
        float f = 0;
        show("all", 0);
        use(l, s, d, none, i, f);
    }
    static void inBlocks(int a, Object o) {
        if (a > 0) {
            String in = "in";
            show("in the block", 0);
            use(a, in, 0, null, 0, null);
        }
        o = null;
        if (a > 100) {
            long never = 1;
            Object ever = "ever";
            use(never, ever, a, o, 2, o);
        }
    }
    void member(Object o, long l, int[] array) {
        for (int i = 0; i < 2; i++) {
            int last = i;
            show("in the loop", 3);
            use(last, o, l, array, i, o);
        }
    }
    void caught(int[] array) {
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            show("caught", 1);
        }
    }

    /** What leaves much behind where the next frame will be. */
    static Object use(long a, Object b, double c, Object d, int e, Object f) {
        Object first = f, second = d, third = b;
        long l = a ^ 0x5555555555555555L;
        double m = c + l;
        Object[] all = {first, second, third, l, m, e};
        return all.length > 0 ? all : first;
    }

    public static void main(String[] args) throws Exception {
        Class<?> live = Class.forName("java.lang.LiveStackFrame");
        Method get = live.getMethod("getStackWalker");
        get.setAccessible(true);
        walker = (StackWalker) get.invoke(null);
        locals = live.getMethod("getLocals");
        locals.setAccessible(true);
        for (int i = 0; i < 3; i++) {
            use(-1, "left", 1e300, "behind", -7, args);
            notYet(1);
            use(-1, "left", 1e300, "behind", -7, args);
            inBlocks(1, "o");
            use(-1, "left", 1e300, "behind", -7, args);
            new LiveFrames().member("o", 3, new int[1]);
            use(-1, "left", 1e300, "behind", -7, args);
            new LiveFrames().caught(new int[1]);
        }
    }
}
