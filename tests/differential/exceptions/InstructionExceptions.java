// Each exception that an instruction may throw, with its exact message: bounds, store, cast, size, division, monitor.
public class InstructionExceptions {
    interface Action {
        Object run() throws Throwable;
    }
    static int n;
    static void t(Action a) {
        try {
            System.out.println(++n + " " + a.run());
        } catch (Throwable e) {
            System.out.println(n + " " + e);
        }
    }
    static class Inner {}
    enum E { A }

    public static void main(String[] args) {
        int minus = args.length - 1;
        t(() -> {
            int[] a = new int[3];
            return a[3];
        });
        t(() -> {
            int[] a = new int[3];
            return a[minus];
        });
        t(() -> {
            int[] a = {};
            a[0] = 1;
            return a;
        });
        t(() -> {
            long[] a = new long[1];
            return a[Integer.MAX_VALUE];
        });
        t(() -> {
            byte[] a = new byte[1];
            a[Integer.MIN_VALUE]++;
            return a;
        });
        t(() -> {
            boolean[] a = new boolean[1];
            return a[1];
        });
        t(() -> {
            char[] a = new char[1];
            return a[1];
        });
        t(() -> {
            short[] a = new short[1];
            a[2] = 1;
            return a;
        });
        t(() -> {
            float[] a = new float[1];
            return a[1];
        });
        t(() -> {
            double[] a = new double[1];
            a[1] = 1;
            return a;
        });
        t(() -> {
            String[] a = new String[1];
            return a[1];
        });
        t(() -> {
            Object[] a = new String[1];
            a[1] = 5;
            return a;
        });
        t(() -> {
            Object[] a = new String[1];
            a[0] = 5;
            return a;
        });
        t(() -> {
            Object[] a = new Integer[1];
            a[0] = "x";
            return a;
        });
        t(() -> {
            Object[] a = new int[1][];
            a[0] = new long[1];
            return a;
        });
        t(() -> {
            Object[] a = new Runnable[1];
            a[0] = new Inner();
            return a;
        });
        t(() -> {
            Object[][] a = new Number[1][1];
            a[0] = new Object[1];
            return a;
        });
        t(() -> {
            Object[] a = new String[1];
            a[0] = null;
            return a[0];
        });
        t(() -> new int[minus]);
        t(() -> new String[minus]);
        t(() -> new int[2][minus]);
        t(() -> new int[minus][2]);
        t(() -> new Object[0][minus]);
        t(() -> new int[Integer.MIN_VALUE]);
        t(() -> {
            Object o = "s";
            return (Integer) o;
        });
        t(() -> {
            Object o = new int[1];
            return (long[]) o;
        });
        t(() -> {
            Object o = new Inner();
            return (Runnable) o;
        });
        t(() -> {
            Object o = new Inner[1];
            return (String[]) o;
        });
        t(() -> {
            Object o = new Object[1];
            return (String[]) o;
        });
        t(() -> {
            Object o = 5;
            return (Inner) o;
        });
        t(() -> {
            Object o = E.A;
            return (InstructionExceptions) o;
        });
        t(() -> {
            Object o = new java.util.ArrayList<String>();
            return (java.util.Map<?, ?>) o;
        });
        t(() -> {
            Object o = new java.util.logging.Level[1];
            return (java.util.List<?>) o;
        });
        t(() -> {
            Object o = new int[1][1];
            return (Object[][]) o;
        });
        t(() -> {
            Object o = null;
            return (String) o;
        });
        t(() -> 1 / (args.length));
        t(() -> 1L % (args.length));
        t(() -> {
            new Object().notify();
            return 0;
        });
        t(() -> {
            new Object().notifyAll();
            return 0;
        });
        t(() -> {
            new Object().wait();
            return 0;
        });
        t(() -> {
            new Object().wait(-1);
            return 0;
        });
        t(() -> { throw new Error("own"); });
        t(() -> { throw new Throwable(); });
        t(() -> {
            int[] a = new int[2];
            System.arraycopy(a, 0, a, 1, 2);
            return a;
        });
        t(() -> {
            System.arraycopy(new int[2], -1, new int[2], 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy(new int[2], 0, new int[2], 0, -1);
            return 0;
        });
        t(() -> {
            System.arraycopy(new int[2], 0, new int[2], 3, 0);
            return 0;
        });
        t(() -> {
            System.arraycopy(new int[2], 0, new long[2], 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy(new int[2], 0, new Object[2], 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy(new Object[2], 0, new int[2], 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy("x", 0, new int[2], 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy(new int[2], 0, "x", 0, 1);
            return 0;
        });
        t(() -> {
            System.arraycopy(null, 0, new int[2], 0, 1);
            return 0;
        });
        t(() -> {
            String[] to = new String[3];
            try {
                System.arraycopy(new Object[] {"a", "b", 5}, 0, to, 0, 3);
            } catch (ArrayStoreException e) {
                return e.getMessage() + java.util.Arrays.toString(to);
            }
            return 0;
        });
        t(() -> {
            System.arraycopy(new String[4], 2, new Object[9], 8, 2);
            return 0;
        });
        t(() -> {
            System.arraycopy(new String[4], Integer.MAX_VALUE, new Object[9], 8, 2);
            return 0;
        });
        t(() -> java.lang.reflect.Array.newInstance(int.class, -1));
        t(() -> java.lang.reflect.Array.newInstance(void.class, 1));
        t(() -> java.lang.reflect.Array.getInt(new long[1], 0));
        t(() -> {
            byte[] a = new byte[1];
            a[1] = 1;
            return a;
        });
        t(() -> {
            char[] a = new char[1];
            a[1] = 1;
            return a;
        });
        t(() -> {
            float[] a = new float[1];
            a[1] = 1;
            return a;
        });
        t(() -> {
            long[] a = new long[1];
            a[1] = 1;
            return a;
        });
        t(() -> {
            double[] a = new double[1];
            return a[minus];
        });
        t(() -> {
            short[] a = new short[1];
            return a[minus];
        });
        t(() -> java.lang.reflect.Array.get(new long[1], 1));
        t(() -> java.lang.reflect.Array.getLength("x"));
        t(() -> {
            java.lang.reflect.Array.set(new int[1], 0, "x");
            return 0;
        });
        t(() -> java.lang.reflect.Array.newInstance(int.class, new int[256]));
        t(() -> new int[Integer.MAX_VALUE]);
        t(() -> new Object[Integer.MAX_VALUE]);
        t(() -> new byte[Integer.MAX_VALUE]);
        t(() -> Class.forName("does.not.Exist"));
        t(() -> Class.forName("[Lmissing;"));
        t(() -> Class.forName("bad/name"));
        t(() -> Class.forName(""));
        t(() -> new Object() {
            protected Object clone() throws CloneNotSupportedException { return super.clone(); }
            Object c() throws Exception { return clone(); }
        }.c());
        Object[][] sources = {{"a"}, new String[] {"a"}, new Comparable<?>[] {"a"}, new Number[] {1}, new String[1]},
                   targets = {new java.util.Date[1], new Runnable[1], new String[1], new Number[1]};
        for (Object[] from : sources)
            for (Object[] to : targets)
                t(() -> {
                    System.arraycopy(from, 0, to, 0, 1);
                    return to[0];
                });
    }
}
