// Object's methods: identity hash stability, equals, clone depth, getClass, toString, and finalize-free life.
public class ObjectMethods {
    static class Point implements Cloneable {
        int x = 1;
        long y = 2;
        double[] z = {3};
        Object o = "o";
        transient byte b = 4;
        boolean t = true;
        @Override
        public Point clone() {
            try {
                return (Point) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
    static class Sub extends Point { String extra = "extra"; }
    static class NotCloneable {
        Object copy() throws CloneNotSupportedException { return clone(); }
    }

    public static void main(String[] args) throws Exception {
        Point p = new Sub();
        Point q = p.clone();
        q.x = 9;
        q.z[0] = 8;
        System.out.println(p.x + " " + q.x + " " + p.z[0] + " " + (p.o == q.o) + " " + q.y + q.b + q.t + ((Sub) q).extra
                           + " " + q.getClass().getSimpleName() + " " + (p != q) + " " + p.equals(q));
        try {
            new NotCloneable().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        Object o = new Object();
        int h = o.hashCode();
        byte[][] junk = new byte[100][];
        for (int i = 0; i < 2000; i++) junk[i % 100] = new byte[1000];
        System.gc();
        System.out.println(h == o.hashCode() && h == System.identityHashCode(o));
        System.out.println(o.toString().equals("java.lang.Object@" + Integer.toHexString(h)));
        System.out.println(System.identityHashCode(null) + " " + (System.identityHashCode("s") == "s".hashCode()));
        java.util.Set<Integer> hashes = new java.util.HashSet<>();
        for (int i = 0; i < 1000; i++) hashes.add(new Object().hashCode());
        System.out.println(hashes.size() > 900);
        boolean negative = false;
        for (int i : hashes) negative |= i <= 0;
        System.out.println(negative);
        synchronized (o) { System.out.println(o.hashCode() == h); }
        Object both = new Object();
        int inside;
        synchronized (both) {
            inside = both.hashCode();
            both.notify();
        }
        System.out.println(inside == both.hashCode());
        System.out.println(int[].class.getSuperclass() + " " + new int[0].getClass() + " "
                           + Object.class.getSuperclass() + " " + void.class + " " + Runnable.class.getSuperclass());
        int[] a = {1, 2, 3};
        System.out.println(a.clone()[2] + " " + (a.clone() == a) + " " + new String[] {"x"}.clone()[0] + " "
                           + new boolean[] {true}.clone()[0] + new long[5].clone().length
                           + new Object[0][0].clone().length);
        System.out.println(o.equals(null) + " " + java.util.Objects.equals(null, null) + " "
                           + java.util.Objects.hash(1, "a", null) + " " + java.util.Objects.toString(null, "def") + " "
                           + java.util.Arrays.hashCode(new Object[] {1, null}));
    }
}
