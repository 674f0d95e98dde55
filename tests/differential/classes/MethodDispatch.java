// Virtual, interface, special and static dispatch over a deep and wide hierarchy, monomorphic to megamorphic sites.
public class MethodDispatch {
    interface I1 {
        int i1(int x);
    }
    interface I2 {
        int i2(int x);
    }
    interface I3 extends I1, I2 {
        int i3(int x);
    }
    static class C0 implements I3 {
        public int i1(int x) { return x + 1; }
        public int i2(int x) { return x + 2; }
        public int i3(int x) { return x + 3; }
        int v(int x) { return x; }
        private int p(int x) { return x * 10; }
        int callP(int x) { return p(x); }
        static int s(int x) { return -x; }
        final int f(int x) { return v(x) + 1000; }
    }
    static class C1 extends C0 {
        int v(int x) { return super.v(x) + 1; }
        int p(int x) { return x * 20; }
        static int s(int x) { return -2 * x; }
    }
    static class C2 extends C1 {
        public int i1(int x) { return super.i1(x) * 2; }
    }
    static class C3 extends C2 {
        int v(int x) { return super.v(x) * 3; }
        public int i2(int x) { return i1(x) + super.i2(x); }
    }
    static class C4 extends C3 {
        public int i3(int x) { return super.i3(x) + v(x); }
    }
    static class Fields {
        int a = 1;
        static int b = 2;
        int get() { return a; }
    }
    static class Hides extends Fields {
        int a = 10;
        static int b = 20;
        int both() { return a * 100 + super.a; }
    }
    static class PackagePrivate {
        String name() { return "base"; }
        public final String call() { return name(); }
    }
    static class Sub extends PackagePrivate {
        protected String name() { return "sub"; }
    }

    static long run(C0[] objs, int rounds) {
        long h = 0;
        for (int i = 0; i < rounds; i++) {
            C0 c = objs[i % objs.length];
            I3 f = c;
            h = h * 31 + c.v(i) + c.callP(i) + c.f(i) + f.i1(i) + f.i2(i) + f.i3(i);
        }
        return h;
    }

    public static void main(String[] args) {
        C0[] all = {new C0(), new C1(), new C2(), new C3(), new C4()};
        for (C0 c : all)
            System.out.println(c.v(5) + " " + c.callP(5) + " " + c.f(5) + " " + c.i1(5) + " " + c.i2(5) + " "
                               + c.i3(5));
        System.out.println(C0.s(1) + " " + C1.s(1) + " " + C4.s(1));
        for (C0 c : all) System.out.println(run(new C0[] {c}, 500));
        System.out.println(run(all, 2000) + " " + run(new C0[] {all[1], all[3]}, 500));
        Hides h = new Hides();
        Fields f = h;
        System.out.println(f.a + " " + h.a + " " + ((Fields) h).a + " " + h.both() + " " + f.get() + " " + Fields.b
                           + Hides.b);
        System.out.println(new Sub().call());
        Object[] os = {1, "s", 2.5, 'c', new int[0], new Object(){public String toString(){return "anon";
    }
}
, java.util.List.of(1)
}
;
StringBuilder b = new StringBuilder();
for (int i = 0; i < 3; i++)
    for (Object o : os)
        if (!(o instanceof int[])) b.append(o).append(o.equals(os[0])).append(o.getClass().getSimpleName());
System.out.println(b);
int[] arr = {1, 2};
System.out.println(arr.equals(arr) + " " + arr.clone().length + " " + arr.getClass().getSimpleName() + " "
                   + (arr.hashCode() == System.identityHashCode(arr)));
Comparable[] cmp = {5, "x", 2L, java.math.BigInteger.ONE, Thread.State.NEW, 'c', 1.5, (byte) 3};
int sum = 0;
for (Comparable c : cmp) sum += c.compareTo(c);
System.out.println(sum);
try {
    cmp[0].compareTo("x");
} catch (ClassCastException e) {
    System.out.println(e.getMessage());
}
}
}
