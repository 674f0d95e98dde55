/* A class file taken apart far enough to change and reassemble its pieces; the pieces need not be valid. */
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class ClassModel {
    int minor, major, access, thisClass, superClass;
    int countDelta; /* added to constant_pool_count when written */
    final List<byte[]> pool = new ArrayList<>(); /* tag and payload; null: unusable index */
    final List<Integer> interfaces = new ArrayList<>();
    final List<Member> fields = new ArrayList<>(), methods = new ArrayList<>();
    final List<Attribute> attributes = new ArrayList<>();

    static final class Member {
        int access, name, descriptor;
        final List<Attribute> attributes = new ArrayList<>();

        Code code() {
            for (Attribute a : attributes) if (a.code != null) return a.code;
            return null;
        }
    }

    static final class Attribute {
        int name;
        int lengthDelta; /* added to attribute_length when written */
        byte[] data;
        Code code; /* instead of data */
    }

    static final class Code {
        int maxStack, maxLocals, lengthDelta;
        byte[] bytes;
        final List<int[]> handlers = new ArrayList<>();
        final List<Attribute> attributes = new ArrayList<>();
    }

    /* ---- reading a valid file ---- */

    ClassModel(byte[] file) {
        ByteBuffer in = ByteBuffer.wrap(file);
        in.getInt();
        minor = in.getChar();
        major = in.getChar();
        int count = in.getChar();
        pool.add(null);
        while (pool.size() < count) {
            int at = in.position(), tag = in.get(at), size = payload(tag, in, at);
            byte[] entry = new byte[1 + size];
            in.get(entry);
            pool.add(entry);
            if (tag == 5 || tag == 6) pool.add(null);
        }
        access = in.getChar();
        thisClass = in.getChar();
        superClass = in.getChar();
        for (int n = in.getChar(); n > 0; n--) interfaces.add((int) in.getChar());
        readMembers(in, fields);
        readMembers(in, methods);
        readAttributes(in, attributes);
        if (in.hasRemaining()) throw new IllegalArgumentException("extra bytes");
    }

    private static int payload(int tag, ByteBuffer in, int at) {
        switch (tag) {
        case 1: return 2 + in.getChar(at + 1);
        case 7: case 8: case 16: case 19: case 20: return 2;
        case 15: return 3;
        case 5: case 6: return 8;
        default: return 4;
        }
    }

    private void readMembers(ByteBuffer in, List<Member> out) {
        for (int n = in.getChar(); n > 0; n--) {
            Member m = new Member();
            m.access = in.getChar();
            m.name = in.getChar();
            m.descriptor = in.getChar();
            readAttributes(in, m.attributes);
            out.add(m);
        }
    }

    private void readAttributes(ByteBuffer in, List<Attribute> out) {
        for (int n = in.getChar(); n > 0; n--) {
            Attribute a = new Attribute();
            a.name = in.getChar();
            a.data = new byte[in.getInt()];
            in.get(a.data);
            if (text(a.name).equals("Code")) a.code = readCode(ByteBuffer.wrap(a.data));
            out.add(a);
        }
    }

    private Code readCode(ByteBuffer in) {
        Code c = new Code();
        c.maxStack = in.getChar();
        c.maxLocals = in.getChar();
        c.bytes = new byte[in.getInt()];
        in.get(c.bytes);
        for (int n = in.getChar(); n > 0; n--)
            c.handlers.add(new int[] {in.getChar(), in.getChar(), in.getChar(), in.getChar()});
        readAttributes(in, c.attributes);
        return c;
    }

    /* ---- the constant pool ---- */

    int tag(int i) {
        return i > 0 && i < pool.size() && pool.get(i) != null ? pool.get(i)[0] : 0;
    }

    String text(int i) {
        if (tag(i) != 1) return "";
        byte[] e = pool.get(i);
        return new String(e, 3, e.length - 3, StandardCharsets.UTF_8);
    }

    int utf8(String s) {
        for (int i = 1; i < pool.size(); i++) if (tag(i) == 1 && text(i).equals(s)) return i;
        byte[] b = s.getBytes(StandardCharsets.UTF_8);
        byte[] e = new byte[3 + b.length];
        e[0] = 1;
        e[1] = (byte) (b.length >> 8);
        e[2] = (byte) b.length;
        System.arraycopy(b, 0, e, 3, b.length);
        pool.add(e);
        return pool.size() - 1;
    }

    int classEntry(String name) {
        int n = utf8(name);
        pool.add(new byte[] {7, (byte) (n >> 8), (byte) n});
        return pool.size() - 1;
    }

    /* Indices with one of the tags; all usable ones without. */
    List<Integer> indices(int... tags) {
        List<Integer> found = new ArrayList<>();
        for (int i = 1; i < pool.size(); i++) {
            int t = tag(i);
            if (t != 0 && (tags.length == 0 || Arrays.stream(tags).anyMatch(x -> x == t))) found.add(i);
        }
        return found;
    }

    /* ---- writing ---- */

    byte[] write() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(0xcafebabe);
            out.writeShort(minor);
            out.writeShort(major);
            out.writeShort(pool.size() + countDelta);
            for (byte[] e : pool) if (e != null) out.write(e);
            out.writeShort(access);
            out.writeShort(thisClass);
            out.writeShort(superClass);
            out.writeShort(interfaces.size());
            for (int i : interfaces) out.writeShort(i);
            writeMembers(out, fields);
            writeMembers(out, methods);
            writeAttributes(out, attributes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeMembers(DataOutputStream out, List<Member> members) throws IOException {
        out.writeShort(members.size());
        for (Member m : members) {
            out.writeShort(m.access);
            out.writeShort(m.name);
            out.writeShort(m.descriptor);
            writeAttributes(out, m.attributes);
        }
    }

    private static void writeAttributes(DataOutputStream out, List<Attribute> attributes) throws IOException {
        out.writeShort(attributes.size());
        for (Attribute a : attributes) {
            byte[] data = a.code == null ? a.data : codeBytes(a.code);
            out.writeShort(a.name);
            out.writeInt(data.length + a.lengthDelta);
            out.write(data);
        }
    }

    private static byte[] codeBytes(Code c) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(c.maxStack);
        out.writeShort(c.maxLocals);
        out.writeInt(c.bytes.length + c.lengthDelta);
        out.write(c.bytes);
        out.writeShort(c.handlers.size());
        for (int[] h : c.handlers) for (int v : h) out.writeShort(v);
        writeAttributes(out, c.attributes);
        return bytes.toByteArray();
    }
}
