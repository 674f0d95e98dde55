import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;

// Message digests, whose blocks a VM may compute by itself: messages of every length up to 300 and long ones, whole, in
// pieces, from odd offsets; copies midway; and calls of the methods for blocks that the library never makes.
public class DigestIntrinsics {
    static final Random random = new Random(29);
    static final byte[] BYTES = new byte[(1 << 18) + 1000];
    static long sum;

    static void add(long v) { sum = sum * 31 + v; }
    static void add(byte[] bytes) {
        for (byte b : bytes) add(b);
    }
    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    static void updateInPieces(MessageDigest d, int offset, int length, int longest) {
        for (int n; length > 0; offset += n, length -= n) {
            n = Math.min(length, 1 + random.nextInt(longest));
            if (n == 1) d.update(BYTES[offset]);
            else if (n % 5 == 0) d.update(ByteBuffer.wrap(BYTES, offset, n));
            else if (n % 7 == 0) d.update(ByteBuffer.allocateDirect(n).put(BYTES, offset, n).flip());
            else d.update(BYTES, offset, n);
        }
    }

    static void messages(String name) throws Exception {
        MessageDigest d = MessageDigest.getInstance(name);
        for (int length = 0; length <= 300; length++) {
            int offset = random.nextInt(40);
            d.update(BYTES, offset, length);
            add(d.digest());
            updateInPieces(d, offset, length, 1 + length / 2);
            MessageDigest copy = (MessageDigest) d.clone();
            updateInPieces(d, 3, 100, 50);
            add(copy.digest());
            copy.update(BYTES, 1, length);
            add(d.digest());
            add(copy.digest());
        }
        for (int length : new int[] {1000, 4096, 70_001}) {
            d.update(BYTES, 1, length);
            add(d.digest());
            updateInPieces(d, 1, length, length);
            add(d.digest());
        }
        add(d.digest(BYTES));
        say(name + " " + d.getDigestLength());
    }

    // ---- calls by reflection: without what the callers in the library see to

    static Field field(Class<?> c, String name) throws Exception {
        Field f = c.getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }
    static Method method(Class<?> c, String name, Class<?>... parameters) throws Exception {
        Method m = c.getDeclaredMethod(name, parameters);
        m.setAccessible(true);
        return m;
    }
    static String call(Method m, Object receiver, Object... arguments) throws Exception {
        try {
            return String.valueOf(m.invoke(receiver, arguments));
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getSimpleName();
        }
    }

    static final class Digest {
        final Object digest;
        final Field state, size;
        final Method one, several;

        Digest(String holder, String name) throws Exception {
            Class<?> of = Class.forName("sun.security.provider." + holder);
            Constructor<?> c = Class.forName("sun.security.provider." + name).getDeclaredConstructor();
            c.setAccessible(true);
            digest = c.newInstance();
            state = field(of, "state");
            size = field(Class.forName("sun.security.provider.DigestBase"), "blockSize");
            one = method(of, "implCompress0", byte[].class, int.class);
            several = method(size.getDeclaringClass(), "implCompressMultiBlock0", byte[].class, int.class, int.class);
        }
        String state() throws Exception {
            Object s = state.get(digest);
            int hash = s instanceof int[] ints ? Arrays.hashCode(ints) : Arrays.hashCode((long[]) s);
            return Integer.toHexString(hash);
        }
        void fresh(int longer) throws Exception {
            Object s = state.get(digest);
            if (s instanceof int[] ints) state.set(digest, Arrays.copyOf(ints, ints.length + longer));
            else state.set(digest, Arrays.copyOf((long[]) s, ((long[]) s).length + longer));
        }
    }

    static void blocks(String holder, String name) throws Exception {
        Digest d = new Digest(holder, name);
        int size = d.size.getInt(d.digest);
        StringBuilder out = new StringBuilder(name);
        byte[] bytes = Arrays.copyOf(BYTES, 5 * size + 3);
        for (int offset : new int[] {0, 1, 4 * size + 3, 4 * size + 4, bytes.length, -1, Integer.MAX_VALUE,
                                     Integer.MIN_VALUE, Integer.MAX_VALUE - size + 1})
            out.append(' ').append(call(d.one, d.digest, bytes, offset)).append(' ').append(d.state());
        out.append(' ').append(call(d.one, d.digest, null, 0));
        out.append(' ').append(call(d.one, d.digest, new byte[0], 0));
        out.append("\n ");
        int[][] ranges = {{0, 0}, {0, size - 1}, {0, size}, {1, 4 * size + 3}, {1, 4 * size + 4}, {3, 2}, {3, 3 - size},
                          {4 * size + 3, Integer.MAX_VALUE}, {-1, 0}, {Integer.MIN_VALUE, Integer.MAX_VALUE},
                          {Integer.MIN_VALUE, Integer.MIN_VALUE}, {5 * size, 5 * size}, {0, Integer.MAX_VALUE}};
        for (int[] r : ranges)
            out.append(' ').append(call(d.several, d.digest, bytes, r[0], r[1])).append(' ').append(d.state());
        out.append(' ').append(call(d.several, d.digest, null, 0, 0)).append(call(d.several, d.digest, null, 1, 0));
        out.append("\n ");
        for (int longer : new int[] {1, -2}) {
            d.fresh(longer);
            out.append(' ').append(call(d.one, d.digest, bytes, 0)).append(' ').append(d.state());
            out.append(' ').append(call(d.several, d.digest, bytes, 0, size)).append(' ').append(d.state());
        }
        d.state.set(d.digest, null);
        out.append(' ').append(call(d.one, d.digest, bytes, 0)).append(call(d.several, d.digest, bytes, 0, size));
        System.out.println(out);
    }

    static void sizes() throws Exception {
        StringBuilder out = new StringBuilder("sizes");
        byte[] bytes = Arrays.copyOf(BYTES, 1000);
        for (int size : new int[] {0, -8, 7, 8, 12, 136, 200, 204, 208, 4000, Integer.MIN_VALUE}) {
            Digest d = new Digest("SHA3", "SHA3$SHA256");
            d.size.setInt(d.digest, size);
            out.append(' ').append(call(d.one, d.digest, bytes, 3)).append(' ').append(d.state());
            out.append(' ').append(call(d.one, d.digest, bytes, 995)).append(' ').append(d.state());
            if (size <= 0) continue;
            out.append(' ').append(call(d.several, d.digest, bytes, 5, 600)).append(' ').append(d.state());
        }
        System.out.println(out);
    }

    static void keccak() throws Exception {
        Method m = method(Class.forName("sun.security.provider.SHA3"), "keccak", long[].class);
        StringBuilder out = new StringBuilder("keccak");
        for (int length : new int[] {0, 24, 25, 26, 60}) {
            long[] lanes = random.longs(length).toArray();
            out.append(' ').append(call(m, null, lanes)).append(' ');
            out.append(Integer.toHexString(Arrays.hashCode(lanes)));
        }
        System.out.println(out.append(' ').append(call(m, null, (Object) null)));
    }

    public static void main(String[] args) throws Exception {
        random.nextBytes(BYTES);
        String[] names = {"MD2", "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/224",
                          "SHA-512/256", "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"};
        for (String name : names) messages(name);
        blocks("MD5", "MD5");
        blocks("SHA", "SHA");
        blocks("SHA2", "SHA2$SHA224");
        blocks("SHA5", "SHA5$SHA512_256");
        blocks("SHA3", "SHA3$SHA384");
        sizes();
        keccak();
    }
}
