/* What runs much is compiled, by calls or by the turns of a loop; what does not is not. A loop that catches what is
 * thrown in it goes on in compiled code. */
public class CompiledHot {
    static int called199(int i) { return i + 1; }
    static int called200(int i) { return i + 1; }
    static int turns1980() { int s = 1; for (int i = 0; i < 1980; i++) s += s; return s; }
    static int turns2000() { int s = 1; for (int i = 0; i < 2005; i++) s += s * i; return s; }
    static int leavesAtEnd(int[] a) {
        int s = 0;
        try {
            for (int i = 0; ; i++) s += a[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return s;
        }
    }

    static final RuntimeException THROWN = new RuntimeException();
    static int thrower() { throw THROWN; }
    static int catches() {
        int s = 0;
        for (int i = 0; i < 5000; i++) {
            try {
                s += thrower();
            } catch (RuntimeException e) {
                s += i;
            }
        }
        return s;
    }

    public static void main(String[] args) {
        int s = 0;
        for (int i = 0; i < 199; i++) s = called199(s);
        for (int i = 0; i < 200; i++) s = called200(s);
        int[] a = new int[10000];
        for (int i = 0; i < a.length; i++) a[i] = i;
        System.out.println(s + " " + turns1980() + " " + turns2000() + " " + leavesAtEnd(a)
                           + " " + catches());
    }
}
