import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

// AES in the modes that a VM may compute by itself, against checksums: keys, lengths, pieces, overlapping buffers, what
// is refused; and the library's methods themselves with arguments and states that their callers never give.
public class CipherIntrinsics {
    static final String[] MODES = {"ECB/NoPadding", "ECB/PKCS5Padding", "CBC/NoPadding", "CBC/PKCS5Padding",
                                   "CTR/NoPadding", "GCM/NoPadding", "CTS/NoPadding", "CFB/NoPadding"};
    static final int BLOCK = 16, ROOM = 64;
    static final Random random = new Random(19);
    static long sum;

    static void add(long v) {
        sum = sum * 0x9e3779b97f4a7c15L + v;
    }

    static void add(byte[] bytes) {
        add(Arrays.hashCode(bytes));
    }

    static void add(Throwable refused) {
        add((refused.getClass().getName() + ": " + refused.getMessage()).hashCode());
    }

    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    static byte[] bytes(int count) {
        byte[] b = new byte[count];
        random.nextBytes(b);
        return b;
    }

    static Cipher cipher(String mode, boolean encrypting, byte[] key, byte[] iv) throws GeneralSecurityException {
        Cipher c = Cipher.getInstance("AES/" + mode);
        AlgorithmParameterSpec parameters = mode.startsWith("ECB") ? null
            : mode.startsWith("GCM") ? new GCMParameterSpec(128, iv, 0, 12) : new IvParameterSpec(iv);
        c.init(encrypting ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), parameters);
        if (mode.startsWith("GCM")) c.updateAAD(iv, 3, iv.length - 5);
        return c;
    }

    /** Encrypted and decrypted at once. */
    static void whole(String mode, byte[] key, byte[] iv, byte[] text) throws GeneralSecurityException {
        try {
            byte[] hidden = cipher(mode, true, key, iv).doFinal(text);
            add(hidden);
            byte[] again = cipher(mode, false, key, iv).doFinal(hidden);
            if (!Arrays.equals(text, again)) System.out.println(mode + " " + text.length + " does not come back");
            if (hidden.length == 0) return;
            hidden[random.nextInt(hidden.length)] ^= 1 << random.nextInt(8);
            add(cipher(mode, false, key, iv).doFinal(hidden));
        } catch (GeneralSecurityException refused) {
            add(refused);
        }
    }

    /** In pieces of up to `longest` bytes, from one array to another. */
    static void pieces(String mode, boolean encrypting, byte[] key, byte[] iv, byte[] text, int longest)
        throws GeneralSecurityException {
        try {
            Cipher c = cipher(mode, encrypting, key, iv);
            byte[] out = new byte[text.length + ROOM];
            int to = random.nextInt(BLOCK);
            for (int from = 0; from < text.length;) {
                int count = Math.min(text.length - from, 1 + random.nextInt(longest));
                to += c.update(text, from, count, out, to);
                from += count;
            }
            add(to + c.doFinal(out, to));
            add(out);
        } catch (GeneralSecurityException refused) {
            add(refused);
        }
    }

    /** In one array, the result at a distance from the text. */
    static void overlapping(String mode, boolean encrypting, byte[] key, byte[] iv, byte[] text, int distance)
        throws GeneralSecurityException {
        byte[] b = new byte[text.length + 4 * ROOM];
        System.arraycopy(text, 0, b, ROOM, text.length);
        try {
            add(cipher(mode, encrypting, key, iv).doFinal(b, ROOM, text.length, b, ROOM + distance));
        } catch (GeneralSecurityException refused) {
            add(refused);
        }
        add(b);
        System.arraycopy(text, 0, b, ROOM, text.length);
        try {
            Cipher c = cipher(mode, encrypting, key, iv);
            add(c.update(b, ROOM, text.length, b, ROOM + distance));
        } catch (GeneralSecurityException refused) {
            add(refused);
        }
        add(b);
    }

    static void buffers(String mode, byte[] key, byte[] iv, byte[] text) throws GeneralSecurityException {
        for (int kind = 0; kind < 4; kind++) {
            ByteBuffer in = (kind & 1) == 0 ? ByteBuffer.allocate(text.length) : ByteBuffer.allocateDirect(text.length);
            ByteBuffer out = (kind & 2) == 0 ? ByteBuffer.allocate(text.length + ROOM)
                                             : ByteBuffer.allocateDirect(text.length + ROOM);
            in.put(text).flip();
            try {
                add(cipher(mode, true, key, iv).doFinal(in, out));
            } catch (GeneralSecurityException refused) {
                add(refused);
            }
            byte[] got = new byte[out.flip().remaining()];
            out.get(got);
            add(got);
        }
    }

    static void modes() throws GeneralSecurityException {
        for (String mode : MODES) {
            for (int size : new int[] {16, 24, 32}) {
                byte[] key = bytes(size), iv = bytes(BLOCK);
                for (int length = 0; length <= 200; length++) whole(mode, key, iv, bytes(length));
                for (int length : new int[] {1000, 4096, 10007, 65536}) whole(mode, key, iv, bytes(length));
                for (int i = 0; i < 60; i++)
                    pieces(mode, i % 2 == 0, key, iv, bytes(random.nextInt(600) & (i % 4 < 2 ? -BLOCK : -1)),
                           i < 30 ? 40 : 300);
                for (int distance : new int[] {-33, -32, -17, -16, -15, -1, 0, 1, 8, 15, 16, 17, 32, 33, 150})
                    for (int length : new int[] {16, 48, 128, 144, 333})
                        for (int way = 0; way < 2; way++)
                            overlapping(mode, way == 0, key, iv, bytes(length), Math.max(distance, -ROOM));
                for (int length : new int[] {0, 16, 100, 1024, 3000}) buffers(mode, key, iv, bytes(length));
            }
            say(mode);
        }
    }

    /** The counter's carries, and that of GCM, which has 32 bits. */
    static void counters() throws GeneralSecurityException {
        byte[] key = bytes(16);
        for (int ones = 0; ones <= BLOCK; ones++) {
            for (int low : new int[] {0xff, 0xfe, 0xf9, 0xf8, 0xf7, 0xf0}) {
                byte[] iv = bytes(BLOCK);
                Arrays.fill(iv, BLOCK - ones, BLOCK, (byte)0xff);
                iv[BLOCK - 1] = (byte)low;
                whole("CTR/NoPadding", key, iv, bytes(300));
                pieces("CTR/NoPadding", true, key, iv, bytes(300), 50);
            }
        }
        for (int i = 0; i < 20; i++) {
            Cipher c = Cipher.getInstance("AES/GCM/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"),
                   new GCMParameterSpec(96 + 8 * (i % 5), bytes(1 + i)));
            c.updateAAD(bytes(40 * i));
            add(c.doFinal(bytes(777)));
        }
        say("counters");
    }

    /** So long that a VM may leave it to the library's code. */
    static void longest() throws GeneralSecurityException {
        byte[] key = bytes(32), iv = bytes(BLOCK), text = new byte[(4 << 20) + 80];
        for (int i = 0; i < text.length; i += 1021) text[i] = (byte)i;
        for (String mode : new String[] {"ECB/NoPadding", "CBC/NoPadding", "CTR/NoPadding"}) {
            byte[] hidden = cipher(mode, true, key, iv).doFinal(text);
            add(hidden);
            if (!Arrays.equals(text, cipher(mode, false, key, iv).doFinal(hidden))) System.out.println(mode);
        }
        say("long");
    }

    // ---- the library's methods --------------------------------------------------------------------------------------

    static final String PACKAGE = "com.sun.crypto.provider.";

    static Object object(String name, String of, Object argument) throws ReflectiveOperationException {
        Class<?>[] types = of == null ? new Class<?>[0] : new Class<?>[] {of.equals("[B") ? byte[].class
                                                                                         : Class.forName(PACKAGE + of)};
        Constructor<?> c = Class.forName(PACKAGE + name).getDeclaredConstructor(types);
        c.setAccessible(true);
        return of == null ? c.newInstance() : c.newInstance(argument);
    }

    static Method method(Class<?> c, String name) {
        for (; c != null; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (!m.getName().equals(name) || m.isSynthetic()) continue;
                m.setAccessible(true);
                return m;
            }
        }
        throw new IllegalArgumentException(name);
    }

    static Field field(Object o, String name) throws ReflectiveOperationException {
        for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!f.getName().equals(name)) continue;
                f.setAccessible(true);
                return f;
            }
        }
        throw new NoSuchFieldException(name);
    }

    static void call(Object o, String name, Object... arguments) throws ReflectiveOperationException {
        try {
            Object got = method(o.getClass(), name).invoke(o, arguments);
            add(got instanceof Integer i ? i : 0);
        } catch (InvocationTargetException e) {
            add(e.getCause());
        }
        for (Object a : arguments) {
            if (a instanceof byte[] b) add(b);
            if (a instanceof long[] l) add(Arrays.hashCode(l));
        }
    }

    static final int[][] OFFSETS = {{0, 0}, {1, 3}, {-1, 0}, {0, -1}, {49, 0}, {0, 49}, {48, 48}, {50, 50},
                                    {Integer.MAX_VALUE, 0}, {0, Integer.MAX_VALUE}, {Integer.MIN_VALUE, 0}};

    static Object aes(int size, boolean decrypting) throws ReflectiveOperationException {
        Object aes = object("AESCrypt", null, null);
        method(aes.getClass(), "init").invoke(aes, decrypting, "AES", bytes(size));
        return aes;
    }

    static void blocks() throws ReflectiveOperationException {
        for (int size : new int[] {16, 24, 32}) {
            for (int way = 0; way < 2; way++) {
                Object aes = aes(size, way == 1);
                for (String name : new String[] {"implEncryptBlock", "implDecryptBlock"}) {
                    for (int[] at : OFFSETS) {
                        call(aes, name, bytes(64), at[0], bytes(64), at[1]);
                        byte[] both = bytes(64);
                        call(aes, name, both, at[0], both, at[1]);
                    }
                    call(aes, name, null, 0, bytes(64), 0);
                    call(aes, name, bytes(64), 0, null, 0);
                    call(aes, name, bytes(15), 0, bytes(16), 0);
                    call(aes, name, bytes(16), 0, bytes(15), 0);
                }
            }
        }
        for (String name : new String[] {"implEncryptBlock", "implDecryptBlock"})
            call(object("AESCrypt", null, null), name, bytes(64), 0, bytes(64), 0);
        Object aes = aes(32, false);
        int[] keys = (int[])field(aes, "K").get(aes);
        for (int length : new int[] {0, 4, 43, 44, 45, 59, 61, 64}) {
            field(aes, "K").set(aes, Arrays.copyOf(keys, length));
            call(aes, "implEncryptBlock", bytes(64), 0, bytes(64), 0);
        }
        for (int length : new int[] {4, 8, 40, 44, 45, 50, 60, 64, 400}) {
            field(aes, "K").set(aes, Arrays.copyOf(keys, length));
            field(aes, "limit").setInt(aes, length - 4);
            call(aes, "implEncryptBlock", bytes(64), 0, bytes(64), 0);
        }
        say("blocks");
    }

    static void texts(Object mode, String name) throws ReflectiveOperationException {
        for (int[] at : OFFSETS)
            for (int length : new int[] {0, 16, 32, 15, 17, 64, 65, -1, -16, Integer.MIN_VALUE})
                call(mode, name, bytes(64), at[0], length, bytes(64), at[1]);
        for (int distance : new int[] {-129, -128, -127, -48, -17, -16, -15, -1, 0, 1, 15, 16, 17, 48, 127, 128, 129})
            for (int length : new int[] {16, 32, 128, 256}) {
                byte[] both = bytes(512);
                call(mode, name, both, 129, length, both, 129 + distance);
            }
        call(mode, name, null, 0, 16, bytes(64), 0);
        call(mode, name, bytes(64), 0, 16, null, 0);
    }

    static void callsOfModes() throws ReflectiveOperationException {
        String[][] names = {{"ElectronicCodeBook", "implECBEncrypt"}, {"ElectronicCodeBook", "implECBDecrypt"},
                            {"CipherBlockChaining", "implEncrypt"}, {"CipherBlockChaining", "implDecrypt"},
                            {"CounterMode", "implCrypt"}};
        for (String[] n : names) {
            for (String kind : new String[] {"AESCrypt", "DESCrypt", "BlowfishCrypt"}) {
                Object cipher = kind.equals("AESCrypt") ? aes(24, n[1].endsWith("Decrypt")) : object(kind, null, null);
                if (kind.equals("DESCrypt")) method(cipher.getClass(), "init").invoke(cipher, false, "DES", bytes(8));
                Object mode = object(n[0], "SymmetricCipher", cipher);
                texts(mode, n[1]);
                if (n[0].equals("ElectronicCodeBook")) continue;
                for (String f : n[0].equals("CounterMode") ? new String[] {"counter", "encryptedCounter"}
                                                            : new String[] {"r"}) {
                    byte[] kept = (byte[])field(mode, f).get(mode);
                    add(kept);
                    call(mode, n[1], kept, 0, 16, bytes(64), 5);
                    call(mode, n[1], bytes(64), 7, 16, kept, 0);
                    call(mode, n[1], kept, 0, 16, kept, 0);
                }
                if (!n[0].equals("CounterMode")) continue;
                for (int used : new int[] {0, 1, 8, 15, 16, 17, 100, -1, Integer.MIN_VALUE}) {
                    for (int length : new int[] {0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 150}) {
                        field(mode, "used").setInt(mode, used);
                        call(mode, n[1], bytes(200), 9, length, bytes(200), 11);
                        add(field(mode, "used").getInt(mode));
                        add((byte[])field(mode, "counter").get(mode));
                        add((byte[])field(mode, "encryptedCounter").get(mode));
                    }
                }
            }
            say(n[1]);
        }
    }

    static void hashes() throws ReflectiveOperationException {
        for (int i = 0; i < 60; i++) {
            byte[] key = i < 4 ? new byte[BLOCK] : bytes(BLOCK);
            if (i < 4) key[i < 2 ? 0 : BLOCK - 1] = (byte)(i % 2 == 0 ? 0x80 : 1);
            Object ghash = object("GHASH", "[B", key);
            long[] state = (long[])field(ghash, "state").get(ghash);
            long[] powers = (long[])field(ghash, "subkeyHtbl").get(ghash);
            for (int blocks : new int[] {0, 1, 7, 8, 9, 16, 17, i, -1}) {
                call(ghash, "processBlocks", bytes(1024), i, blocks, state, powers);
                if (i % 3 == 0) Arrays.fill(state, i % 2 == 0 ? -1 : Long.MIN_VALUE);
            }
            add(Arrays.hashCode(powers));
        }
        Object ghash = object("GHASH", "[B", bytes(BLOCK));
        for (int[] at : OFFSETS) {
            call(ghash, "processBlocks", bytes(64), at[0], 1, new long[2], new long[18]);
            call(ghash, "processBlocks", bytes(64), at[0], at[1] / 8, new long[] {1, 2}, new long[] {3, 4});
            call(ghash, "processBlocks", bytes(64), 0, 1, new long[at[0] & 3], new long[18]);
            call(ghash, "processBlocks", bytes(64), 0, 1, new long[2], new long[at[1] & 3]);
        }
        for (int blocks : new int[] {4, 5, 1 << 27, 1 << 28, 1 << 30, Integer.MIN_VALUE})
            call(ghash, "processBlocks", bytes(64), 0, blocks, new long[2], new long[] {5, 6});
        long[] both = {0x123456789abcdefL, -5};
        call(ghash, "processBlocks", bytes(256), 0, 16, both, both);
        call(ghash, "processBlocks", null, 0, 1, new long[2], new long[18]);
        call(ghash, "processBlocks", bytes(64), 0, 1, null, new long[18]);
        call(ghash, "processBlocks", bytes(64), 0, 1, new long[2], null);
        say("GHASH");
    }

    public static void main(String[] args) throws Exception {
        modes();
        counters();
        longest();
        blocks();
        callsOfModes();
        hashes();
    }
}
