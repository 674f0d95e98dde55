/* Branches, loops, switches, mixed local types: code with many stack map frames. */
public class Control {
    static final int LIMIT = 12;
    static final long BIG = 1L << 40;
    static final String NAME = "control";
    static final double RATIO = 0.75;
    static final float SCALE = 1.5f;
    private int state;
    protected long total;

    Control(int start) {
        state = start > 3 ? start : 3;
    }

    int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n && i < LIMIT; i++) {
            if ((i & 1) == 0) continue;
            long wide = i * 3L;
            sum += wide > 5 ? (int) wide : i;
        }
        return sum;
    }

    static String pick(int k) {
        switch (k) {
        case 0: return "zero";
        case 1: return "one";
        case 2:
        case 3: return "few";
        case 100: return "many";
        default: return null;
        }
    }

    static int named(String s) {
        switch (s) {
        case "red": return 1;
        case "green": return 2;
        case "blue": return 3;
        default: return s.length();
        }
    }

    static double mix(int i, long l, float f, double d, Object o) {
        double r = i + l + f + d;
        Object held = o;
        while (r > 10) {
            r /= 2;
            if (held instanceof String s && s.isEmpty()) held = Integer.valueOf(i);
            else if (held instanceof Integer n) r -= n;
            else held = "";
        }
        do r += RATIO; while (r < 1);
        return held == null ? -r : r;
    }

    int[][] table(int n) {
        int[][] t = new int[n % 5 + 1][3];
        byte[] b = {1, 2, 3};
        char[] c = {'a', 'b'};
        short[] s = new short[2];
        long[] l = {BIG, 2};
        float[] f = {SCALE};
        double[] d = {RATIO, 2};
        boolean[] z = {true, false};
        Object[] o = {b, c, s, l, f, d, z, t};
        t[0][1] = b[0] + c[1] + s[0] + (int) l[1] + (int) f[0] + (int) d[1] + (z[0] ? 1 : 0) + o.length;
        total += t[0][1] ^ state;
        state = ~state >>> 3 << 1;
        return t;
    }

    static boolean compare(long a, long b, double x, double y, float p, float q) {
        return a < b ? x >= y : p != q && a == b;
    }

    public static void main(String[] args) {
        Control c = new Control(args.length);
        c.loop(20);
        c.table(4);
        for (int i = 0; i < 5; i++) pick(i * 25);
        named("green");
        mix(3, 4L, 5f, 60d, "x");
        compare(1, 2, 3, 4, 5, 6);
    }
}
