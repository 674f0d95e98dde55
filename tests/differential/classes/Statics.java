// Static fields of every type, volatile and final ones, constant values, and static nested state across classes.
public class Statics {
    static boolean z;
    static byte b;
    static char c;
    static short s;
    static int i;
    static long l;
    static float f;
    static double d;
    static Object o;
    static int[] a;
    static volatile boolean vz = true;
    static volatile byte vb = -1;
    static volatile char vc = 'v';
    static volatile short vs = -2;
    static volatile int vi = -3;
    static volatile long vl = -4;
    static volatile float vf = -5;
    static volatile double vd = -6;
    static volatile Object vo = "vo";
    static final boolean cz = true;
    static final byte cb = 1;
    static final char cc = 'c';
    static final short cs = 2;
    static final int ci = 3;
    static final long cl = 1L << 40;
    static final float cf = 0.5f;
    static final double cd = 0.25;
    static final String ct = "ct\0日";
    boolean fz;
    byte fb;
    char fc;
    short fs;
    int fi;
    long fl;
    float ff;
    double fd;
    Object fo;
    volatile boolean gz;
    volatile byte gb;
    volatile char gc;
    volatile short gs;
    volatile int gi;
    volatile long gl;
    volatile float gf;
    volatile double gd;
    volatile Object go;
    final int fin;
    final long finl;
    final String fint;
    Statics(int x) {
        fin = x;
        finl = x * 2L;
        fint = "f" + x;
    }

    static class Holder {
        static int count;
        static final java.util.List<String> log = new java.util.ArrayList<>();
    }
    interface Consts {
        int X = 5;
        String Y = "y" + X;
        int[] Z = {1, 2, 3};
    }

    public static void main(String[] args) throws Exception {
        System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + o + " "
                           + a);
        z = !z;
        b--;
        c += 'x';
        s |= 0x7fff;
        i ^= -1;
        l = ~l;
        f += 1.25f;
        d -= 2.5;
        o = "obj";
        a = new int[] {1};
        System.out.println(z + " " + b + " " + c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + o + " "
                           + a[0]);
        vz = !vz;
        vb += 5;
        vc++;
        vs *= 3;
        vi <<= 2;
        vl >>>= 60;
        vf /= 2;
        vd %= 4;
        vo = vo + "!";
        System.out.println(vz + " " + vb + " " + vc + " " + vs + " " + vi + " " + vl + " " + vf + " " + vd + " " + vo);
        System.out.println(cz + " " + cb + " " + cc + " " + cs + " " + ci + " " + cl + " " + cf + " " + cd + " "
                           + ct.length());
        Statics p = new Statics(9);
        System.out.println(p.fz + " " + p.fb + " " + (int) p.fc + " " + p.fs + " " + p.fi + " " + p.fl + " " + p.ff
                           + " " + p.fd + " " + p.fo);
        p.fz = true;
        p.fb = (byte) 300;
        p.fc = (char) 70000;
        p.fs = (short) 70000;
        p.fi = 1 << 31;
        p.fl = 1L << 63;
        p.ff = 1e-40f;
        p.fd = 1e-310;
        p.fo = p;
        System.out.println(p.fz + " " + p.fb + " " + (int) p.fc + " " + p.fs + " " + p.fi + " " + p.fl + " " + p.ff
                           + " " + p.fd + " " + (p.fo == p));
        p.gz = true;
        p.gb = -7;
        p.gc = 'g';
        p.gs = -8;
        p.gi = -9;
        p.gl = -10;
        p.gf = -11;
        p.gd = -12;
        p.go = "go";
        System.out.println(p.gz + " " + p.gb + " " + p.gc + " " + p.gs + " " + p.gi + " " + p.gl + " " + p.gf + " "
                           + p.gd + " " + p.go);
        System.out.println(p.fin + " " + p.finl + " " + p.fint);
        Holder.count += 5;
        Holder.log.add("x");
        System.out.println(Holder.count + " " + Holder.log + " " + Consts.X + Consts.Y + Consts.Z.length);
        for (var field : Statics.class.getDeclaredFields())
            if (java.lang.reflect.Modifier.isStatic(field.getModifiers()) && field.getName().startsWith("c"))
                System.out.print(field.getName() + "=" + String.valueOf(field.get(null)).length() + " ");
        System.out.println();
    }
}
