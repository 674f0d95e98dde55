import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;

// Base64, whose groups a VM may code by itself: every length up to 200 and long ones, each alphabet, lines, buffers,
// streams; what is no character of an alphabet, in each place; and calls that the library never makes.
public class Base64Intrinsics {
    static final Random random = new Random(31);
    static final byte[] BYTES = new byte[3_500_000];
    static final Base64.Encoder[] ENCODERS = {
        Base64.getEncoder(), Base64.getUrlEncoder(),
        Base64.getMimeEncoder(), Base64.getMimeEncoder(20, new byte[] {'#'}),
        Base64.getMimeEncoder(100, new byte[] {'\n'}), Base64.getMimeEncoder(0, new byte[] {'\n'})};
    static final Base64.Decoder[] DECODERS = {Base64.getDecoder(), Base64.getUrlDecoder(), Base64.getMimeDecoder()};
    static long sum;

    static void add(long v) { sum = sum * 31 + v; }
    static void add(byte[] bytes) {
        for (byte b : bytes) add(b);
    }
    static void add(ByteBuffer b) {
        add(b.remaining());
        while (b.hasRemaining()) add(b.get());
    }
    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    static byte[] bytes(int length) {
        byte[] b = new byte[length];
        random.nextBytes(b);
        return b;
    }
    static ByteBuffer direct(byte[] b) { return ByteBuffer.allocateDirect(b.length).put(b).flip(); }

    static void decode(Base64.Decoder d, byte[] text) {
        try {
            add(d.decode(text));
        } catch (IllegalArgumentException e) {
            add(e.getMessage().hashCode());
        }
    }
    // What lies behind the decoded bytes stays as it is.
    static void decodeInto(Base64.Decoder d, byte[] text, int room) {
        byte[] to = new byte[room];
        Arrays.fill(to, (byte) 77);
        try {
            add(d.decode(text, to));
        } catch (IllegalArgumentException e) {
            add(e.getMessage().hashCode());
        }
        add(to);
    }

    static void lengths() throws IOException {
        for (int length = 0; length <= 200; length++) {
            byte[] b = bytes(length);
            for (Base64.Encoder with : ENCODERS) {
                for (Base64.Encoder e : new Base64.Encoder[] {with, with.withoutPadding()}) {
                    byte[] text = e.encode(b), into = new byte[text.length + 40];
                    add(text);
                    add(e.encode(b, into));
                    add(into);
                    add(e.encode(ByteBuffer.wrap(b, length / 3, length - length / 3)));
                    add(e.encode(direct(b)));
                    for (Base64.Decoder d : DECODERS) {
                        decode(d, text);
                        decodeInto(d, text, length + length % 40);
                        decodeInto(d, text, Math.max(0, length - 1));
                    }
                }
            }
        }
        say("lengths");
        for (int length : new int[] {4095, 70_000}) {
            for (Base64.Encoder e : ENCODERS) {
                byte[] text = e.encode(bytes(length));
                add(text);
                for (Base64.Decoder d : DECODERS) decode(d, text);
                text[text.length - 2] = '!';
                for (Base64.Decoder d : DECODERS) decode(d, text);
            }
        }
        byte[] text = ENCODERS[0].encode(BYTES);
        add(Arrays.hashCode(text));
        add(Arrays.hashCode(DECODERS[0].decode(text)));
        say("long");
    }

    static void oddCharacters() {
        byte[] odd = {'=', '!', '\n', '+', '/', '-', '_', 0, (byte) 0x80, (byte) 0xff, '@', '[', '`', '{', ':', ','};
        for (int length : new int[] {3, 6, 24, 26, 27, 48, 51, 75, 105}) {
            for (Base64.Encoder e : new Base64.Encoder[] {ENCODERS[0], ENCODERS[1], ENCODERS[2]}) {
                byte[] text = e.encode(bytes(length));
                for (int at = 0; at < text.length; at++) {
                    byte was = text[at];
                    for (byte b : odd) {
                        text[at] = b;
                        for (Base64.Decoder d : DECODERS) decode(d, text);
                    }
                    decodeInto(DECODERS[2], text, length + 2);
                    text[at] = was;
                }
            }
        }
        say("odd characters");
        byte[] text = ENCODERS[0].encode(bytes(72));
        for (int at : new int[] {0, 3, 17, 31, 32, 63, 64, 70, 95}) {
            byte was = text[at];
            for (int b = 0; b < 256; b++) {
                text[at] = (byte) b;
                for (Base64.Decoder d : DECODERS) decode(d, text);
            }
            text[at] = was;
        }
        say("every character");
    }

    static void buffersAndStreams() throws IOException {
        for (int length = 0; length < 400; length += 7) {
            byte[] b = bytes(length);
            for (Base64.Encoder e : ENCODERS) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (OutputStream coded = e.wrap(out)) {
                    for (int at = 0, n; at < length; at += n)
                        coded.write(b, at, n = Math.min(length - at, 1 + at % 90));
                }
                byte[] text = out.toByteArray();
                add(text);
                ByteBuffer buffer = ByteBuffer.allocate(text.length + 9).position(5).put(text).flip().position(5);
                for (Base64.Decoder d : DECODERS) {
                    try {
                        add(d.decode(direct(text)));
                        add(d.decode(buffer.slice()));
                    } catch (IllegalArgumentException x) {
                        add(x.getMessage().hashCode());
                    }
                    try (InputStream in = d.wrap(new ByteArrayInputStream(text))) {
                        byte[] some = new byte[70];
                        for (int n = 0, k = 1; (n = in.read(some, 0, k)) >= 0; k = 1 + (k + 12) % 70)
                            add(Arrays.copyOf(some, n));
                    } catch (IOException x) {
                        add(x.getMessage().hashCode());
                    }
                }
            }
            add(ENCODERS[0].encodeToString(b).hashCode());
        }
        say("buffers and streams");
    }

    // ---- calls by reflection: without what the callers in the library see to

    static String call(Method m, Object receiver, Object... arguments) throws Exception {
        try {
            return String.valueOf(m.invoke(receiver, arguments));
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getSimpleName();
        }
    }

    static void blocks(Method m, Object coder, byte[] source, Object... more) throws Exception {
        int n = source.length, max = Integer.MAX_VALUE, min = Integer.MIN_VALUE;
        int[][] places = {{0, n, 0}, {0, n - 1, 0}, {0, n - 2, 0}, {3, n - 1, 7}, {0, n + 1, 0}, {0, n + 12, 0},
                          {-1, n, 0}, {-12, 0, 0}, {0, n, -1}, {0, n, 150}, {n, n, 0}, {12, 0, 0}, {12, 0, -5},
                          {max, max, 0}, {min, max, 0}, {0, max, 0}, {max, min, 0}, {0, n, max}, {0, n, min},
                          {0, 0, 999}, {12, 24, 200}, {n, n + 3, 0}, {n - 4, n, 188}, {n - 3, n, 196}};
        StringBuilder out = new StringBuilder(m.getName());
        for (int[] p : places) {
            byte[] to = new byte[200];
            Object[] arguments = {source, p[0], p[1], to, p[2]};
            Object[] all = Arrays.copyOf(arguments, 5 + more.length);
            System.arraycopy(more, 0, all, 5, more.length);
            out.append(' ').append(call(m, coder, all)).append(' ').append(Integer.toHexString(Arrays.hashCode(to)));
            all[3] = all[0] = source.clone();
            out.append(' ').append(call(m, coder, all)).append(' ')
                .append(Integer.toHexString(Arrays.hashCode((byte[]) all[0])));
            all[3] = null;
            out.append(' ').append(call(m, coder, all));
            all[3] = to;
            all[0] = null;
            out.append(' ').append(call(m, coder, all)).append('\n');
        }
        System.out.print(out);
    }

    static void crafted() throws Exception {
        Method encode = Base64.Encoder.class.getDeclaredMethod("encodeBlock", byte[].class, int.class, int.class,
                                                               byte[].class, int.class, boolean.class);
        Method decode = Base64.Decoder.class.getDeclaredMethod("decodeBlock", byte[].class, int.class, int.class,
                                                               byte[].class, int.class, boolean.class, boolean.class);
        encode.setAccessible(true);
        decode.setAccessible(true);
        byte[] b = bytes(120), text = ENCODERS[1].encode(bytes(120));
        blocks(encode, ENCODERS[0], b, false);
        blocks(encode, ENCODERS[0], b, true);
        blocks(decode, DECODERS[0], text, true, false);
        blocks(decode, DECODERS[0], text, false, true);
    }

    public static void main(String[] args) throws Exception {
        random.nextBytes(BYTES);
        lengths();
        oddCharacters();
        buffersAndStreams();
        crafted();
    }
}
