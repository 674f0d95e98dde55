// A method with more than 256 local slots, so that every load, store, iinc and ret index needs the wide form.
public class ManyLocals {
    static String run(int seed) {
        long a0 = seed, a1 = a0 + 1, a2 = a1 + 1, a3 = a2 + 1, a4 = a3 + 1, a5 = a4 + 1, a6 = a5 + 1, a7 = a6 + 1,
             a8 = a7 + 1, a9 = a8 + 1;
        long b0 = a9 + 1, b1 = b0 + 1, b2 = b1 + 1, b3 = b2 + 1, b4 = b3 + 1, b5 = b4 + 1, b6 = b5 + 1, b7 = b6 + 1,
             b8 = b7 + 1, b9 = b8 + 1;
        long c0 = b9 + 1, c1 = c0 + 1, c2 = c1 + 1, c3 = c2 + 1, c4 = c3 + 1, c5 = c4 + 1, c6 = c5 + 1, c7 = c6 + 1,
             c8 = c7 + 1, c9 = c8 + 1;
        long d0 = c9 + 1, d1 = d0 + 1, d2 = d1 + 1, d3 = d2 + 1, d4 = d3 + 1, d5 = d4 + 1, d6 = d5 + 1, d7 = d6 + 1,
             d8 = d7 + 1, d9 = d8 + 1;
        double e0 = d9 + 1, e1 = e0 + 1, e2 = e1 + 1, e3 = e2 + 1, e4 = e3 + 1, e5 = e4 + 1, e6 = e5 + 1, e7 = e6 + 1,
               e8 = e7 + 1, e9 = e8 + 1;
        double f0 = e9 + 1, f1 = f0 + 1, f2 = f1 + 1, f3 = f2 + 1, f4 = f3 + 1, f5 = f4 + 1, f6 = f5 + 1, f7 = f6 + 1,
               f8 = f7 + 1, f9 = f8 + 1;
        double g0 = f9 + 1, g1 = g0 + 1, g2 = g1 + 1, g3 = g2 + 1, g4 = g3 + 1, g5 = g4 + 1, g6 = g5 + 1, g7 = g6 + 1,
               g8 = g7 + 1, g9 = g8 + 1;
        double h0 = g9 + 1, h1 = h0 + 1, h2 = h1 + 1, h3 = h2 + 1, h4 = h3 + 1, h5 = h4 + 1, h6 = h5 + 1, h7 = h6 + 1,
               h8 = h7 + 1, h9 = h8 + 1;
        long i0 = (long) h9 + 1, i1 = i0 + 1, i2 = i1 + 1, i3 = i2 + 1, i4 = i3 + 1, i5 = i4 + 1, i6 = i5 + 1,
             i7 = i6 + 1, i8 = i7 + 1, i9 = i8 + 1;
        long j0 = i9 + 1, j1 = j0 + 1, j2 = j1 + 1, j3 = j2 + 1, j4 = j3 + 1, j5 = j4 + 1, j6 = j5 + 1, j7 = j6 + 1,
             j8 = j7 + 1, j9 = j8 + 1;
        long k0 = j9 + 1, k1 = k0 + 1, k2 = k1 + 1, k3 = k2 + 1, k4 = k3 + 1, k5 = k4 + 1, k6 = k5 + 1, k7 = k6 + 1,
             k8 = k7 + 1, k9 = k8 + 1;
        long l0 = k9 + 1, l1 = l0 + 1, l2 = l1 + 1, l3 = l2 + 1, l4 = l3 + 1, l5 = l4 + 1, l6 = l5 + 1, l7 = l6 + 1,
             l8 = l7 + 1, l9 = l8 + 1;
        long m0 = l9 + 1, m1 = m0 + 1, m2 = m1 + 1, m3 = m2 + 1, m4 = m3 + 1, m5 = m4 + 1, m6 = m5 + 1, m7 = m6 + 1,
             m8 = m7 + 1, m9 = m8 + 1;
        int i = 5;
        long l = 6;
        float f = 7.5f;
        double d = 8.25;
        String s = "nine";
        int[] a = {1, 2, 3};
        Object lock = new Object();
        i++;
        i += 100;
        i += 1000;
        i -= 30000;
        l++;
        l += i;
        f *= 2;
        d -= f;
        s = s + i;
        a[1] += i;
        for (int n = 0; n < 3; n++) { i += n; s += a[n]; }
        synchronized (lock) { s += "locked"; }
        try {
            if (seed > 0) throw new RuntimeException("thrown");
        } catch (RuntimeException x) {
            s += x.getMessage();
        } finally {
            s += "finally";
        }
        return i + " " + l + " " + f + " " + d + " " + s + " "
            + (a9 + b9 + c9 + d9 + e9 + f9 + g9 + h9 + i9 + j9 + k9 + l9 + m9 + m0);
    }

    public static void main(String[] args) {
        System.out.println(run(0));
        System.out.println(run(1));
        System.out.println(run(-100));
    }
}
