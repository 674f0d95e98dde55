import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

// What a VM may do by vectors gives what the library's code gives: texts and arrays of every length up to 100, from
// every offset up to 16, with the odd element in each place.
public class TextIntrinsics {
    static final int LONGEST = 100, OFFSETS = 17;
    static final Random random = new Random(11);
    static long sum;

    static void add(long v) { sum = sum * 31 + v; }
    static void add(boolean b) { add(b ? 1 : 2); }
    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    static char[] chars(int n, int limit) {
        char[] c = new char[n];
        for (int i = 0; i < n; i++) c[i] = (char) (1 + random.nextInt(limit));
        return c;
    }
    static String with(char[] c, int at, int change) {
        char[] copy = c.clone();
        if (at >= 0) copy[at] += change;
        return new String(copy);
    }

    static void order(String a, String b) {
        add(a.compareTo(b));
        add(b.compareTo(a));
        add(a.equals(b));
        add(a.startsWith(b));
        add(a.contentEquals(b));
        add(new StringBuilder(a).compareTo(new StringBuilder(b)));
    }
    static void orders() {
        for (int n = 0; n <= LONGEST; n++) {
            char[] latin = chars(n, 200), wide = chars(n, 0xfffe);
            for (int at = -1; at < n; at++) {
                for (int change : new int[] {1, 0x100, -1}) {
                    order(with(latin, -1, 0), with(latin, at, change));
                    order(with(wide, -1, 0), with(wide, at, change));
                }
                order(with(latin, -1, 0), with(latin, -1, 0).substring(0, at + 1));
                order(with(latin, -1, 0) + "\u1234", with(latin, at, 1));
                order(with(wide, -1, 0), with(wide, -1, 0).substring(0, at + 1));
            }
        }
        say("order");
    }

    static void find(String in, String wanted) {
        add(in.indexOf(wanted));
        add(in.contains(wanted));
        for (int from = -1; from < OFFSETS; from++) add(in.indexOf(wanted, from));
        StringBuilder roomy = new StringBuilder(300).append(in).append(wanted);
        roomy.setLength(in.length());
        add(roomy.indexOf(wanted));
        add(roomy.indexOf(wanted, 3));
    }
    static void places() {
        for (int n = 0; n <= LONGEST; n++) {
            String latin = new String(chars(n, 3)), wide = new String(chars(n, 3)).replace('\3', '\u0401');
            for (String s : new String[] {latin, wide, latin.replace('\2', '\u00ff')}) {
                for (int count = 0; count <= 20 && count <= n; count += 1 + count / 5) {
                    find(s, s.substring(n - count));
                    find(s, s.substring((n - count) / 2, (n + count) / 2));
                    find(s, new String(chars(count, 3)));
                }
                find(s, s + 1);
            }
            for (int at = -1; at < n; at++) {
                String one = with("x".repeat(n).toCharArray(), at, 1), wideOne = "\u1234" + one;
                for (char c : new char[] {'y', '\u0179', 'x', '\u1234'})
                    for (int from = -1; from < OFFSETS; from++) {
                        add(one.indexOf(c, from));
                        add(wideOne.indexOf(c, from));
                        add(wideOne.indexOf(0x10000 + c, from));
                    }
                add(one.indexOf("xy"));
                add(wideOne.indexOf("xy"));
                add(wideOne.indexOf("yx\u1234"));
                add((wideOne + "\uffff").indexOf(-1));
                add(one.indexOf("xyx", 2));
            }
        }
        String many = "a".repeat(3000), none = "a".repeat(1000) + "b" + "a".repeat(1000);
        add(many.indexOf(none));
        add((many + "\u1234").indexOf(none));
        say("places");
    }

    static void copy(char[] c, int offset) {
        int n = c.length - offset;
        String s = new String(c, offset, n);
        add(s.hashCode());
        String wide = "\u2345" + new String(c), back = wide.substring(1 + offset);
        add(back.equals(s));
        add(back.hashCode());
        char[] to = new char[c.length + 3];
        s.getChars(0, n, to, offset / 2);
        wide.getChars(offset, offset + n, to, 1);
        add(Arrays.hashCode(to));
        StringBuilder b = new StringBuilder().append(s).append('\u1000').append(s, n / 2, n).append(back);
        b.insert(offset % (b.length() + 1), s).insert(0, c, offset, n);
        b.getChars(0, b.length() / 2, to = new char[b.length()], 1);
        add(Arrays.hashCode(to));
        add(b.toString().hashCode());
        add(b.reverse().substring(n / 3).hashCode());
        if (n > 0) b.setCharAt(n - 1, '\u3456');
        add(b.delete(0, n).toString().hashCode());
    }
    static void copies() {
        for (int n = 0; n <= LONGEST; n++) {
            for (int offset = 0; offset < OFFSETS && offset <= n; offset++) {
                copy(chars(n, 0xff), offset);
                for (int at = n - 1; at >= 0; at -= 1 + at / 9) {
                    char[] c = chars(n, 0xff);
                    c[at] = (char) (0x100 << at % 8);
                    copy(c, offset);
                }
            }
        }
        say("copies");
    }

    static void code(String s) throws Exception {
        for (Charset set : new Charset[] {StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII,
                                          StandardCharsets.UTF_8}) {
            byte[] bytes = s.getBytes(set);
            add(Arrays.hashCode(bytes));
            CharsetEncoder encoder = set.newEncoder();
            ByteBuffer to = ByteBuffer.allocate(300);
            CharBuffer from = CharBuffer.wrap(s.toCharArray());
            if (s.length() > 2) {
                to.position(2);
                from.position(1);
            }
            encoder.encode(from, to, true);
            add(from.position() * 1000L + to.position());
            add(Arrays.hashCode(to.array()));
            for (int offset = 0; offset < OFFSETS && offset <= bytes.length; offset++)
                add(new String(bytes, offset, bytes.length - offset, set).hashCode());
        }
    }
    static void codes() throws Exception {
        for (int n = 0; n <= LONGEST; n++) {
            char[] ascii = chars(n, 0x7f);
            code(new String(ascii));
            for (int at = 0; at < n; at++)
                for (int change : new int[] {0x80, 0xff, 0x100, 0x7000}) code(with(ascii, at, change));
        }
        say("codes");
    }

    static void hash(byte[] bytes, int offset) {
        add(Arrays.hashCode(bytes));
        add(ByteBuffer.wrap(bytes, offset, bytes.length - offset).hashCode());
        add(ByteBuffer.wrap(bytes, offset, bytes.length - offset).slice().hashCode());
        add(new String(bytes, offset, bytes.length - offset, StandardCharsets.ISO_8859_1).hashCode());
        short[] shorts = new short[bytes.length];
        char[] chars = new char[bytes.length];
        int[] ints = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            shorts[i] = (short) (bytes[i] * 259);
            chars[i] = (char) (bytes[i] * 4099);
            ints[i] = bytes[i] * 0x1234567;
        }
        add(Arrays.hashCode(shorts));
        add(Arrays.hashCode(chars));
        add(Arrays.hashCode(ints));
        add(new String(chars).hashCode());
        add(CharBuffer.wrap(chars, offset, chars.length - offset).hashCode());
    }
    static void hashes() {
        add(Arrays.hashCode((int[]) null));
        for (int n = 0; n <= LONGEST; n++) {
            byte[] bytes = new byte[n];
            for (int offset = 0; offset < OFFSETS && offset <= n; offset++) {
                random.nextBytes(bytes);
                hash(bytes, offset);
            }
        }
        say("hashes");
    }

    static void compare(int n, int at, int from) {
        byte[] a = new byte[n], b = new byte[n];
        boolean[] booleans = new boolean[n], others = new boolean[n];
        short[] c = new short[n], d = new short[n];
        char[] e = new char[n], f = new char[n];
        int[] g = new int[n], h = new int[n];
        long[] i = new long[n], j = new long[n];
        float[] k = new float[n], l = new float[n];
        double[] o = new double[n], p = new double[n];
        if (at >= 0) {
            b[at] = -1;
            others[at] = true;
            d[at] = 1 << 8;
            f[at] = 1 << 15;
            h[at] = 1 << 16;
            j[at] = 1L << 40;
            l[at] = at % 2 == 0 ? -0f : Float.NaN;
            p[at] = at % 2 == 0 ? 1 : -0.0;
        }
        add(Arrays.mismatch(a, b) * 3L + Arrays.mismatch(a, from, n, b, 0, n - from));
        add(Arrays.mismatch(booleans, others) * 3L + Arrays.mismatch(booleans, from, n, others, 0, n - from));
        add(Arrays.mismatch(c, d) * 3L + Arrays.mismatch(c, from, n, d, 0, n - from));
        add(Arrays.mismatch(e, f) * 3L + Arrays.mismatch(e, 0, n - from, f, from, n));
        add(Arrays.mismatch(g, h) * 3L + Arrays.mismatch(g, from, n, h, from, n));
        add(Arrays.mismatch(i, j) * 3L + Arrays.mismatch(i, 0, n - from, j, from, n));
        add(Arrays.mismatch(k, l) * 3L + Arrays.mismatch(k, from, n, l, 0, n - from));
        add(Arrays.mismatch(o, p) * 3L + Arrays.mismatch(o, from, n, p, from, n));
        add(Arrays.equals(a, b));
        add(Arrays.equals(e, f));
        add(Arrays.equals(g, h));
        add(Arrays.equals(i, j));
        add(Arrays.equals(c, from, n, d, from, n));
        add(Arrays.compare(a, from, n, b, 0, n - from) + 7L * Arrays.compare(e, f) + 5L * Arrays.compareUnsigned(i, j));
        add(ByteBuffer.wrap(a, from, n - from).mismatch(ByteBuffer.allocateDirect(n).put(b).flip()));
        add(ByteBuffer.wrap(a).compareTo(ByteBuffer.wrap(b, from, n - from)));
    }
    static void comparisons() {
        for (int n = 0; n <= LONGEST; n++)
            for (int at = -1; at < n; at += 1 + Math.max(at, 0) / 20)
                for (int from = at & 3; from < OFFSETS && from <= n; from += 4) compare(n, at, from);
        for (long index : new long[] {-1, 0, 4, 5, 6, Long.MIN_VALUE, 1L << 32, (1L << 32) + 5})
            for (long length : new long[] {-1, 0, 5, 1L << 33, Long.MAX_VALUE})
                try {
                    add(Objects.checkIndex(index, length));
                } catch (IndexOutOfBoundsException e) {
                    add(e.getMessage().hashCode());
                }
        say("comparisons");
    }

    static void checksums() {
        byte[] bytes = new byte[6000];
        random.nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        for (Checksum c : new Checksum[] {new CRC32(), new CRC32C(), new Adler32()}) {
            for (int n = 0; n <= 700; n += 1 + n / 150) {
                for (int offset = 0; offset < OFFSETS; offset++) {
                    c.update(bytes, offset, n);
                    add(c.getValue());
                    c.update(direct.limit(offset + n).position(offset));
                    add(c.getValue());
                    c.update(n);
                    c.reset();
                    c.update(bytes, n, offset);
                    add(c.getValue());
                }
            }
            byte[] ones = new byte[1 << 20];
            Arrays.fill(ones, (byte) -1);
            for (int n = 0; n < 3; n++) {
                c.update(ones, n, ones.length - n);
                add(c.getValue());
            }
        }
        say("checksums");
    }

    interface Action { Object run() throws Exception; }
    static void refused(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getClassName().startsWith("TextIntrinsics")) break;
                System.out.println("    " + f.getClassName() + "." + f.getMethodName() + ":" + f.getLineNumber());
            }
        }
    }
    static void refusals() {
        String latin = "latin", wide = "\u1234wide";
        char[] five = new char[5];
        refused(() -> latin.compareTo(null));
        refused(() -> wide.compareTo(null));
        refused(() -> latin.indexOf((String) null));
        refused(() -> wide.indexOf(null, 1));
        refused(() -> { wide.getChars(1, 6, five, 0); return ""; });
        refused(() -> { wide.getChars(1, 5, five, 2); return ""; });
        refused(() -> { wide.getChars(2, 1, five, 0); return ""; });
        refused(() -> { latin.getChars(0, 5, five, 1); return ""; });
        refused(() -> { latin.getChars(0, 5, null, 0); return ""; });
        refused(() -> { new StringBuilder(wide).getChars(0, 5, five, 1); return ""; });
        refused(() -> new String(five, 2, 4));
        refused(() -> new StringBuilder(wide).insert(9, latin));
        refused(() -> { new StringBuilder(wide).setCharAt(5, 'x'); return ""; });
        refused(() -> Arrays.mismatch(new long[3], 1, 4, new long[3], 0, 3));
        refused(() -> Objects.checkIndex(5L, 5L));
    }

    public static void main(String[] args) throws Exception {
        orders();
        places();
        copies();
        codes();
        hashes();
        comparisons();
        checksums();
        refusals();
    }
}
