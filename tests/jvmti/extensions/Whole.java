// Objects of every kind for the agent whole: what FollowObjects tells of each as a whole is what FollowReferences tells
// piece by piece.
import jdk.internal.misc.Unsafe;

public class Whole {
    interface Limits { int LOW = 3; Object NONE = new Object(); }
    interface More extends Limits { long HIGH = 1L << 40; }

    static class Base implements Limits {
        boolean flag = true;
        Object first = "first";
        double real = -0.5;
        static String shared = "shared";
        static int counter = 7;
    }
    static class Derived extends Base implements More {
        byte small = -2;
        char letter = 'v';
        short middle = -300;
        int number = 1 << 30;
        float part = 1.5f;
        long wide = Long.MIN_VALUE + 1;
        Object self = this, nothing, base;
        int[] numbers = {1, 2, 3};
        static Object[] kept;
    }
    static class Empty { }

    static String text = new String("numbered");

    static native void compare();
    static native void number(Derived marked, Class<?> of);
    static native void refuse();

    static Object[] objects() throws ReflectiveOperationException {
        Derived d = new Derived();
        // the VM's own object: for tools it is the class
        d.base = Unsafe.getUnsafe().staticFieldBase(Base.class.getDeclaredField("counter"));
        Object[] many = new Object[1000];
        for (int i = 0; i < many.length; i += 3) many[i] = i % 2 == 0 ? new Empty() : many;
        return new Object[] {d,
                             new Derived(),
                             many,
                             new boolean[] {true, false},
                             new byte[] {1, -1},
                             "text".toCharArray(),
                             new short[] {5},
                             new float[] {2.5f},
                             new long[] {1L << 50},
                             new double[] {0.25},
                             new int[0],
                             new String[][] {{"a", null}, null, {}},
                             new Empty[3],
                             int.class,
                             Whole.class,
                             Thread.currentThread()};
    }

    public static void main(String[] args) throws Exception {
        Derived.kept = objects();
        compare();
        number((Derived) Derived.kept[0], Derived.class);
        refuse();
    }
}
