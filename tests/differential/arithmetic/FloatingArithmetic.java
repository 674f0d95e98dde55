// Every float and double operation on corner values, by raw bits, with both NaN flavours of compare.
public class FloatingArithmetic {
    static final float[] F = {0f,
                              -0f,
                              1f,
                              -1f,
                              0.1f,
                              1.5f,
                              -2.75f,
                              3e38f,
                              -3e38f,
                              Float.MIN_VALUE,
                              Float.MIN_NORMAL,
                              Float.MAX_VALUE,
                              Float.POSITIVE_INFINITY,
                              Float.NEGATIVE_INFINITY,
                              Float.NaN,
                              16777217f,
                              2147483648f};
    static final double[] D = {0,
                               -0.0,
                               1,
                               -1,
                               0.1,
                               1.5,
                               -2.75,
                               1e308,
                               -1e308,
                               Double.MIN_VALUE,
                               Double.MIN_NORMAL,
                               Double.MAX_VALUE,
                               Double.POSITIVE_INFINITY,
                               Double.NEGATIVE_INFINITY,
                               Double.NaN,
                               9007199254740993.0,
                               9.223372036854775807e18};

    static String floats(float a, float b) {
        float[] r = {a + b, a - b, a * b, a / b, a % b, -a};
        StringBuilder s = new StringBuilder(a + "," + b + ":");
        for (float v : r) s.append(' ').append(Integer.toHexString(Float.floatToIntBits(v)));
        s.append(a < b ? "<" : "")
            .append(a <= b ? "[" : "")
            .append(a > b ? ">" : "")
            .append(a >= b ? "]" : "")
            .append(a == b ? "=" : "")
            .append(a != b ? "!" : "");
        s.append(!(a < b) ? "n" : "").append(!(a > b) ? "m" : "").append(Float.compare(a, b));
        return s.toString();
    }

    static String doubles(double a, double b) {
        double[] r = {a + b, a - b, a * b, a / b, a % b, -a};
        StringBuilder s = new StringBuilder(a + "," + b + ":");
        for (double v : r) s.append(' ').append(Long.toHexString(Double.doubleToLongBits(v)));
        s.append(a < b ? "<" : "")
            .append(a <= b ? "[" : "")
            .append(a > b ? ">" : "")
            .append(a >= b ? "]" : "")
            .append(a == b ? "=" : "")
            .append(a != b ? "!" : "");
        s.append(!(a < b) ? "n" : "").append(!(a > b) ? "m" : "").append(Double.compare(a, b));
        return s.toString();
    }

    public static void main(String[] args) {
        long h = 0;
        for (int i = 0; i < F.length; i++)
            for (int j = 0; j < F.length; j++) {
                String s = floats(F[i], F[j]);
                h = h * 31 + s.hashCode();
                if ((i * 7 + j * 3) % 13 == 0) System.out.println(s);
            }
        for (int i = 0; i < D.length; i++)
            for (int j = 0; j < D.length; j++) {
                String s = doubles(D[i], D[j]);
                h = h * 31 + s.hashCode();
                if ((i * 7 + j * 3) % 13 == 0) System.out.println(s);
            }
        System.out.println(h);
        double x = 1;
        for (int i = 0; i < 60; i++) x = x * 1.1 - 0.3 / x;
        System.out.println(x);
        float y = 1;
        for (int i = 0; i < 60; i++) y = y * 1.1f - 0.3f / y;
        System.out.println(y);
        System.out.println(0.1 + 0.2 + " " + (0.1f + 0.2f) + " " + (float) 0.1 + " " + (double) 0.1f);
        System.out.println(5.5 % 2.25 + " " + -5.5 % 2.25 + " " + 5.5f % -2.25f + " " + 1e300 % 7);
    }
}
