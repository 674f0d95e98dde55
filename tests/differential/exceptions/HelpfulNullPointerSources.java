// Helpful NullPointerException messages: long dereference chains, index expressions, merged values, reassigned
// parameters, loops.
import java.util.Map;
import java.util.function.Supplier;

public class HelpfulNullPointerSources {
    HelpfulNullPointerSources a;
    HelpfulNullPointerSources[] array;
    int[] ints;
    static HelpfulNullPointerSources fixed;
    static HelpfulNullPointerSources[][][][][][][] deep;
    int i;
    long l;
    double d;
    String text;
    StringBuffer buffer;

    HelpfulNullPointerSources method(int x, long y, Object o, Object[] os, StringBuilder b, Map<String, ?>[] m) {
        return null;
    }
    static int[] noInts() { return null; }
    HelpfulNullPointerSources self() { return this; }
    static class StringLike { }
    static class Object2 { }
    void types(StringLike a, Object2 b, Object c, String[] d, StringBuffer[] e, StringIndexOutOfBoundsException f) { }

    interface Action { void run() throws Throwable; }
    static void t(String name, Action action) {
        try {
            action.run();
            System.out.println(name + ": nothing thrown");
        } catch (NullPointerException e) {
            System.out.println(name + ": " + e.getMessage());
        } catch (Throwable e) {
            System.out.println(name + ": " + e);
        }
    }

    /* A chain of n objects behind the field a. */
    static HelpfulNullPointerSources chain(int n) {
        HelpfulNullPointerSources first = null;
        for (; n > 0; n--) {
            HelpfulNullPointerSources s = new HelpfulNullPointerSources();
            s.a = first;
            first = s;
        }
        return first;
    }

    static void fields(HelpfulNullPointerSources p) { p.a.a.a.a.a.a.a.i = 1; }
    static void returned(HelpfulNullPointerSources p) { p.self().self().a.self().a.self().a.self().i = 3; }
    static void mixed(HelpfulNullPointerSources p) { p.self().a.a.a.a.a.a.self().i = 4; }
    static void indices(HelpfulNullPointerSources p) { p.array[p.array[p.array[0].i].i].a.i = 2; }
    static void deepArray() { deep[1][2][3][4][5][6][7].a.i = 1; }
    static void deepIndex(int[] q) {
        deep[q[q[q[q[q[q[1]]]]]]][noInts()[3]][300][-1][-2][70000][noInts().length].i = 1;
    }
    static void constants(int c) {
        switch (c) {
        case 0: deep[-1][0].clone(); break;
        case 1: deep[0][5].clone(); break;
        case 2: deep[0][127].clone(); break;
        case 3: deep[0][-128].clone(); break;
        case 4: deep[0][-32768].clone(); break;
        case 5: deep[0][32768].clone(); break;
        }
    }
    void reassigned(long first, double second, HelpfulNullPointerSources third) {
        t("parameter", () -> { });
        try { third.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        third = null;
        try { third.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
    void narrow(byte b, char c, short s, float f, long g) {
        ints = null;
        try { ints[b] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        array = new HelpfulNullPointerSources[3];
        try { array[b].i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { array[c].i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { array[s].i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { array[(int) f].i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { array[(int) g].l = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
    static void conditional(boolean z, HelpfulNullPointerSources p) { (z ? p.a : fixed).i = 1; }
    static void sameConditional(boolean z, HelpfulNullPointerSources p) { (z ? p : p).a.i = 1; }
    static void loop(HelpfulNullPointerSources p) {
        for (HelpfulNullPointerSources e = p;; e = e.a) e.i = 3;
    }
    static void parameterLoop(HelpfulNullPointerSources p) {
        while (true) {
            p.i = 1;
            p = p.a;
        }
    }
    static void increments(HelpfulNullPointerSources p, int k) { p.array[k++].i += 3; }
    static void preIncrement(HelpfulNullPointerSources p, int k) { p.ints[++k]++; }
    static void sum(HelpfulNullPointerSources p, int k) { p.array[k + 1].method(k, k, p, null, null, null); }
    static void casts(Object o) { ((HelpfulNullPointerSources[]) o)[2].i = 4; }
    static void doubleCast(Object o) { ((HelpfulNullPointerSources) ((Object[]) o)[1]).i = 3; }
    static void switched(String s) { switch (s) { case "a": case "b": break; } }
    static void synchronizedOn(HelpfulNullPointerSources p) { synchronized (p.a) { p.i++; } }
    static void swapped(HelpfulNullPointerSources p, long q, HelpfulNullPointerSources r) {
        HelpfulNullPointerSources x = r;
        p = x;
        try { x.i = 3; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { p.l++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { r.d = q; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { r.l = q; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
    static void objects(Object[][] o) throws Throwable {
        try { o[1][2] = null; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { o[1].clone(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { o[0][0].hashCode(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { synchronized (o[0][0]) { } } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { throw (RuntimeException) o[0][0]; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
    /* The last locals whose assignments are followed. */
    static void many(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, long b0, long b1,
                     long b2, long b3, long b4, long b5, long b6, long b7, long b8, long b9, long c0, long c1, long c2,
                     long c3, long c4, long c5, int c6, HelpfulNullPointerSources e62, HelpfulNullPointerSources e63,
                     HelpfulNullPointerSources e64, HelpfulNullPointerSources e65) {
        try { e62.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { e63.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { e64.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { e65.i = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        long w = b0;
        e62 = e63;
        try { e62.i = (int) w; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
    class Inner {
        void outer() { a.i = 4; }
    }

    public static void main(String[] args) throws Throwable {
        for (int n = 0; n < 8; n++) {
            int k = n;
            t("fields " + n, () -> fields(chain(k)));
            t("returned " + n, () -> returned(chain(k)));
            t("mixed " + n, () -> mixed(chain(k)));
        }
        HelpfulNullPointerSources p = new HelpfulNullPointerSources();
        t("indices", () -> indices(p));
        p.array = new HelpfulNullPointerSources[3];
        t("indices", () -> indices(p));
        p.array[0] = new HelpfulNullPointerSources();
        t("indices", () -> indices(p));
        t("deep", () -> deepArray());
        t("deep index", () -> deepIndex(null));
        deep = new HelpfulNullPointerSources[8][][][][][][];
        t("deep", () -> deepArray());
        t("deep index", () -> deepIndex(new int[2]));
        deep[1] = new HelpfulNullPointerSources[8][8][][][][];
        t("deep", () -> deepArray());
        deep[1][2][3] = new HelpfulNullPointerSources[8][8][][];
        t("deep", () -> deepArray());
        deep[1][2][3][4][5] = new HelpfulNullPointerSources[8][];
        t("deep", () -> deepArray());
        deep[1][2][3][4][5][6] = new HelpfulNullPointerSources[8];
        t("deep", () -> deepArray());
        deep[1][2][3][4][5][6][7] = new HelpfulNullPointerSources();
        t("deep", () -> deepArray());
        deep = new HelpfulNullPointerSources[1][][][][][][];
        for (int c = 0; c < 6; c++) {
            int k = c;
            t("constant " + c, () -> constants(k));
        }
        p.reassigned(1, 2, null);
        p.narrow((byte) 1, (char) 1, (short) 1, 1f, 1);
        t("conditional", () -> conditional(true, p));
        t("conditional", () -> conditional(false, p));
        t("same conditional", () -> sameConditional(true, p));
        t("loop", () -> loop(chain(3)));
        t("parameter loop", () -> parameterLoop(chain(3)));
        t("increments", () -> increments(p, 1));
        t("pre-increment", () -> preIncrement(p, 1));
        t("sum", () -> sum(p, 1));
        t("casts", () -> casts(new HelpfulNullPointerSources[3]));
        t("double cast", () -> doubleCast(new Object[3]));
        t("switch", () -> switched(null));
        t("synchronized", () -> synchronizedOn(p));
        swapped(p, 1, null);
        objects(new Object[][] {new Object[1], null});
        many(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null, null);
        t("types", () -> p.a.types(null, null, null, null, null, null));
        t("array clone", () -> p.a.array.clone());
        t("array clone", () -> { p.a = new HelpfulNullPointerSources(); p.a.array.clone(); });
        t("int array clone", () -> p.a.ints.clone());
        t("array class", () -> p.a.array.getClass());
        t("string", () -> "abc".concat(null).length());
        t("string", () -> p.text.length());
        t("buffer", () -> p.buffer.append(p.text));
        t("cast away", () -> Object[].class.cast(null).clone());
        t("method reference", () -> { Supplier<Object> s = p.text::length; });
        t("inner", () -> fixed.new Inner());
        t("inner field", () -> new HelpfulNullPointerSources().new Inner().outer());
        t("unboxing", () -> { Map<String, Integer> m = Map.of(); int v = m.get("x"); });
        t("long unboxing", () -> { Long[] ls = new Long[2]; ls[1]++; });
        t("constructor", () -> { throw new NullPointerException(); });
        t("null message", () -> { throw new NullPointerException(null); });
        t("iterator", () -> { for (HelpfulNullPointerSources s : p.a.array) s.i++; });
    }
}
