// Helpful NullPointerException messages for every instruction that throws one and every way of describing the null
// value.
public class HelpfulNullPointers {
    static HelpfulNullPointers snull;
    static int[] sarray;
    static long[][] smatrix = new long[2][];
    HelpfulNullPointers next;
    String text;
    int number;
    long wide;
    int[] values;
    Object[][] table = new Object[3][];

    HelpfulNullPointers self() { return this; }
    static HelpfulNullPointers none() { return null; }
    HelpfulNullPointers noneAt(int i, String s, long[] l) { return null; }
    void method(int a, String b) { }
    static <T> T any() { return null; }
    interface Face { int face(double d); }
    static Face face;

    static int counter;
    static void t(Runnable r) {
        try {
            r.run();
            System.out.println(++counter + " nothing thrown");
        } catch (NullPointerException e) {
            System.out.println(++counter + " " + e.getMessage());
        }
    }

    static void parameters(HelpfulNullPointers p, long l, int[] a, String s) {
        try { p.number = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { a[(int) l] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { s.length(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        HelpfulNullPointers local = p;
        try { local.next.next.number++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        int i = 1, j = 0;
        HelpfulNullPointers[][] m = new HelpfulNullPointers[2][2];
        try { m[i][j].method(i, s); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { m[i][m.length - 1].text = s; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }

    void instance() {
        try { this.next.number = 5; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { this.table[2][1].hashCode(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try {
            this.noneAt(1, "x", null).values[3]++;
        } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }

    public static void main(String[] args) {
        t(() -> snull.method(1, "x"));
        t(() -> { int i = snull.number; });
        t(() -> { snull.number = 1; });
        t(() -> { snull.wide = 1; });
        t(() -> { long l = snull.wide; });
        t(() -> { snull.text = "x"; });
        t(() -> { int l = sarray.length; });
        t(() -> { int v = sarray[3]; });
        t(() -> { sarray[3] = 4; });
        t(() -> { long v = smatrix[1][0]; });
        t(() -> { smatrix[1][0] = 4; });
        t(() -> { boolean[] a = null; boolean b = a[0]; });
        t(() -> { byte[] a = null; byte b = a[0]; });
        t(() -> { char[] a = null; char b = a[0]; });
        t(() -> { short[] a = null; short b = a[0]; });
        t(() -> { float[] a = null; float b = a[0]; });
        t(() -> { double[] a = null; double b = a[0]; });
        t(() -> { Object[] a = null; Object b = a[0]; });
        t(() -> { byte[] a = null; a[0] = 1; });
        t(() -> { char[] a = null; a[0] = 1; });
        t(() -> { short[] a = null; a[0] = 1; });
        t(() -> { float[] a = null; a[0] = 1; });
        t(() -> { double[] a = null; a[0] = 1; });
        t(() -> { Object[] a = null; a[0] = ""; });
        t(() -> { throw null; });
        t(() -> { RuntimeException e = null; throw e; });
        t(() -> { synchronized (snull) { } });
        t(() -> { synchronized (none()) { } });
        t(() -> none().number++);
        t(() -> none().next.next.number++);
        t(() -> new HelpfulNullPointers().next.number++);
        t(() -> new HelpfulNullPointers().next.next.number++);
        t(() -> new HelpfulNullPointers().self().next.method(1, null));
        t(() -> new HelpfulNullPointers().values[0] = 2);
        t(() -> new HelpfulNullPointers().table[0][1] = 2);
        t(() -> new HelpfulNullPointers().noneAt(5, "s", new long[1]).number++);
        t(() -> face.face(1.5));
        t(() -> HelpfulNullPointers.<String>any().length());
        t(() -> { int i = HelpfulNullPointers.<Integer>any(); });
        t(() -> { Integer i = null; i++; });
        t(() -> { String s = null; switch (s) { case "a": break; } });
        t(() -> { for (String s : HelpfulNullPointers.<Iterable<String>>any()) { } });
        t(() -> { for (int s : sarray) { } });
        t(() -> sarray[args.length + 3 * 4] = 1);
        t(() -> smatrix[0][args.length]++);
        t(() -> smatrix[sarray.length][0]++);
        t(() -> none().values[none().number] = 1);
        t(() -> { HelpfulNullPointers[] a = new HelpfulNullPointers[4]; a[3].text.length(); });
        t(() -> { String[][][] a = new String[4][1][]; a[3][0][2].length(); });
        t(() -> { throw new NullPointerException(); });
        t(() -> { throw new NullPointerException("own"); });
        t(() -> java.util.Objects.requireNonNull(null));
        t(() -> java.util.Objects.requireNonNull(null, "required"));
        t(() -> snull.next = snull.next.next);
        t(() -> { Object o = snull; ((HelpfulNullPointers) o).number = 1; });
        t(() -> ((Runnable) any()).run());
        parameters(null, 2, null, null);
        new HelpfulNullPointers().instance();
        try {
            HelpfulNullPointers.class.getDeclaredMethod("self").invoke(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
        snull.method(3, "uncaught");
    }
}
