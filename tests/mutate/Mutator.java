/* Makes damaged class files from sound ones, the same ones for the same seed.
 *
 *     java Mutator <directory of seed classes> <output file> <count per category> <seed>
 *
 * The output holds all seeds and all mutants; MutantRunner says how it is laid out. */
import java.io.DataOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public final class Mutator {
    static final String[] CATEGORIES = {"constant-pool", "members", "code", "stack-map", "handlers", "attributes"};

    private final Random random;
    private ClassModel m;

    private Mutator(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] args) throws IOException {
        List<Path> files;
        try (Stream<Path> s = Files.list(Path.of(args[0]))) {
            files = s.filter(p -> p.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        int count = Integer.parseInt(args[2]);
        Mutator mutator = new Mutator(Long.parseLong(args[3]));
        List<byte[]> seeds = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Path p : files) {
            seeds.add(Files.readAllBytes(p));
            names.add(p.getFileName().toString().replace(".class", ""));
        }
        try (DataOutputStream out =
                 new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[1]))))) {
            out.writeInt(seeds.size());
            for (int i = 0; i < seeds.size(); i++) {
                out.writeUTF(names.get(i));
                out.writeInt(seeds.get(i).length);
                out.write(seeds.get(i));
            }
            out.writeInt(count * CATEGORIES.length);
            for (int k = 0; k < count * CATEGORIES.length; k++) {
                int category = k % CATEGORIES.length;
                int[] seed = new int[1];
                byte[] mutant = mutator.mutate(seeds, category, seed);
                out.writeByte(category);
                out.writeShort(seed[0]);
                out.writeInt(mutant.length);
                out.write(mutant);
            }
        }
    }

    /* One mutant of a random seed that has something to change in the category. */
    private byte[] mutate(List<byte[]> seeds, int category, int[] seed) {
        for (;;) {
            seed[0] = random.nextInt(seeds.size());
            byte[] original = seeds.get(seed[0]);
            m = new ClassModel(original);
            if (!change(category)) continue;
            byte[] mutant = m.write();
            if (!java.util.Arrays.equals(original, mutant)) return mutant;
        }
    }

    private boolean change(int category) {
        switch (category) {
        case 0: return constantPool();
        case 1: return members();
        case 2: return code();
        case 3: return stackMap();
        case 4: return handlers();
        default: return attributes();
        }
    }

    /* ---- small choices ---- */

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T any(List<T> list) {
        return list.isEmpty() ? null : list.get(random.nextInt(list.size()));
    }

    private int anyIndex(int... tags) {
        Integer i = any(m.indices(tags));
        return i == null ? 0 : i;
    }

    private static int u2(byte[] b, int at) {
        return (b[at] & 255) << 8 | b[at + 1] & 255;
    }

    private static void put2(byte[] b, int at, int v) {
        b[at] = (byte) (v >> 8);
        b[at + 1] = (byte) v;
    }

    /* Another value near, far or extreme. */
    private int nudge(int v) {
        switch (random.nextInt(6)) {
        case 0: return v + 1;
        case 1: return v - 1;
        case 2: return 0;
        case 3: return 0xffff;
        case 4: return v ^ 1 << random.nextInt(16);
        default: return random.nextInt(300);
        }
    }

    private static byte[] insert(byte[] b, int at, byte... more) {
        byte[] r = new byte[b.length + more.length];
        System.arraycopy(b, 0, r, 0, at);
        System.arraycopy(more, 0, r, at, more.length);
        System.arraycopy(b, at, r, at + more.length, b.length - at);
        return r;
    }

    private static byte[] remove(byte[] b, int at, int count) {
        byte[] r = new byte[b.length - count];
        System.arraycopy(b, 0, r, 0, at);
        System.arraycopy(b, at + count, r, at, b.length - at - count);
        return r;
    }

    private void noise(byte[] b) {
        if (b.length > 0) b[random.nextInt(b.length)] = (byte) (chance(50) ? random.nextInt(256) : random.nextInt(10));
    }

    /* ---- constant pool and header ---- */

    private boolean constantPool() {
        switch (random.nextInt(14)) {
        case 0: case 1: return utf8Text();
        case 2: return otherIndex(false);
        case 3: return otherIndex(true);
        case 4: return number();
        case 5: return tagChange();
        case 6: return unusedEntry();
        case 7: noise(m.pool.get(anyIndex())); return true;
        case 8: m.countDelta = chance(50) ? 1 : -1; return true;
        case 9: return version();
        case 10:
            if (chance(50)) m.thisClass = chance(50) ? anyIndex(7) : nudge(m.thisClass);
            else m.superClass = chance(70) ? anyIndex(7) : nudge(m.superClass);
            return true;
        case 11: case 12: return number() || unusedEntry();
        default: return methodHandle();
        }
    }

    private boolean utf8Text() {
        byte[] e = m.pool.get(anyIndex(1));
        if (e.length == 3) return false;
        int at = 3 + random.nextInt(e.length - 3);
        String wild = ";./[<>()LVI$x\u0000";
        switch (random.nextInt(5)) {
        case 0: e[at] = (byte) wild.charAt(random.nextInt(wild.length())); break;
        case 1: e[at] = (byte) ('a' + random.nextInt(26)); break;
        case 2: e[at] = (byte) random.nextInt(256); break;
        case 3: e[at] ^= 32; break;
        default: put2(e, 1, nudge(u2(e, 1)));
        }
        return true;
    }

    /* Lets an entry name another one: of the kind it wants, or of any kind. */
    private boolean otherIndex(boolean sound) {
        int i = anyIndex(7, 8, 9, 10, 11, 12, 15, 16, 18);
        if (i == 0) return false;
        byte[] e = m.pool.get(i);
        int at = e[0] == 15 ? 2 : e[0] == 18 ? 3 : e.length == 5 && chance(50) ? 3 : 1;
        put2(e, at, sound ? anyIndex(m.tag(u2(e, at))) : chance(50) ? anyIndex() : nudge(u2(e, at)));
        return true;
    }

    private boolean number() {
        int i = anyIndex(3, 4, 5, 6);
        if (i == 0) return false;
        byte[] e = m.pool.get(i);
        e[1 + random.nextInt(e.length - 1)] = (byte) random.nextInt(256);
        return true;
    }

    private boolean tagChange() {
        byte[] e = m.pool.get(anyIndex(3, 4, 7, 8, 9, 10, 11, 12, 16, 18));
        byte[] two = {7, 8, 16, 19, 20}, four = {3, 4, 9, 10, 11, 12, 17, 18};
        byte[] same = e.length == 3 ? two : four;
        e[0] = chance(80) ? same[random.nextInt(same.length)] : (byte) random.nextInt(22);
        return true;
    }

    private boolean unusedEntry() {
        switch (random.nextInt(6)) {
        case 0: m.utf8("unused " + random.nextInt(100)); break;
        case 1: m.classEntry(chance(60) ? "java/lang/Unused" : "bad//name"); break;
        case 2: m.pool.add(new byte[] {8, 0, (byte) anyIndex(chance(60) ? 1 : 7)}); break;
        case 3: m.pool.add(new byte[] {3, 0, 0, 0, 9}); break;
        case 4:
            m.pool.add(new byte[] {16, (byte) (m.utf8(chance(60) ? "(I)V" : "(I") >> 8), (byte) m.utf8("(I)V")});
            break;
        default:
            int nat = anyIndex(12), c = anyIndex(7);
            m.pool.add(
                new byte[] {(byte) (9 + random.nextInt(3)), (byte) (c >> 8), (byte) c, (byte) (nat >> 8), (byte) nat});
        }
        return true;
    }

    private boolean version() {
        switch (random.nextInt(4)) {
        case 0: m.major = 44 + random.nextInt(27); break;
        case 1: m.minor = chance(50) ? 65535 : 1; break;
        case 2: m.major = 50 + random.nextInt(11); break;
        default: m.major = 52 + random.nextInt(9);
        }
        return true;
    }

    private boolean methodHandle() {
        int i = anyIndex(15);
        if (i == 0) return false;
        m.pool.get(i)[1] = (byte) random.nextInt(11);
        return true;
    }

    /* ---- fields and methods ---- */

    private boolean members() {
        boolean ofMethods = m.fields.isEmpty() || chance(60);
        List<ClassModel.Member> list = ofMethods ? m.methods : m.fields;
        ClassModel.Member x = any(list);
        if (x == null) return false;
        switch (random.nextInt(14)) {
        case 0: case 1: x.access ^= 1 << random.nextInt(16); return true;
        case 2: x.name = chance(50) ? anyIndex(1) : nudge(x.name); return true;
        case 3: x.descriptor = chance(60) ? anyIndex(1) : nudge(x.descriptor); return true;
        case 4: list.add(random.nextInt(list.size() + 1), x); return true;
        case 5: list.remove(x); return true;
        case 6: java.util.Collections.shuffle(list, random); return true;
        case 7: m.access ^= 1 << random.nextInt(16); return true;
        case 8: return interfaces();
        case 9: return newField();
        case 10: return newMethod();
        case 11:
            x.name = m.utf8(
                chance(60) ? "renamed" + random.nextInt(9)
                           : new String[] {"<init>", "<clinit>", "a.b", "a;", "<x>", "finalize"}[random.nextInt(6)]);
            return true;
        case 12:
            if (x.attributes.isEmpty()) return false;
            x.attributes.remove(random.nextInt(x.attributes.size()));
            return true;
        default: x.access = chance(50) ? x.access | 0x1000 : random.nextInt(65536); return true;
        }
    }

    private boolean interfaces() {
        switch (random.nextInt(4)) {
        case 0: m.interfaces.add(anyIndex(7)); break;
        case 1: m.interfaces.add(m.classEntry(chance(70) ? "java/io/Serializable" : "java/lang/Integer")); break;
        case 2:
            if (m.interfaces.isEmpty()) return false;
            m.interfaces.remove(random.nextInt(m.interfaces.size()));
            break;
        default: if (m.interfaces.isEmpty()) return false; m.interfaces.add(m.interfaces.get(0));
        }
        return true;
    }

    private boolean newField() {
        ClassModel.Member f = new ClassModel.Member();
        f.access = chance(70) ? 0x19 : random.nextInt(65536);
        f.name = m.utf8("added");
        f.descriptor = m.utf8(
            new String[] {"I", "J", "Ljava/lang/String;", "[[D", "V", "L;", "X"}[random.nextInt(chance(70) ? 4 : 7)]);
        m.fields.add(f);
        return true;
    }

    private boolean newMethod() {
        ClassModel.Member x = new ClassModel.Member();
        boolean isInterface = (m.access & 0x200) != 0;
        x.access = isInterface ? 0x401 : chance(60) ? 0x101 : random.nextInt(65536);
        x.name = m.utf8("added");
        x.descriptor = m.utf8(
            new String[] {"()V", "(IJ)D", "(Ljava/lang/Object;)V", "()", "(V)V"}[random.nextInt(chance(70) ? 3 : 5)]);
        m.methods.add(x);
        return true;
    }

    /* ---- Code ---- */

    private ClassModel.Code anyCode() {
        List<ClassModel.Code> all =
            m.methods.stream().map(ClassModel.Member::code).filter(c -> c != null).collect(Collectors.toList());
        return any(all);
    }

    private List<Integer> instructions(ClassModel.Code c) {
        List<Integer> starts = new ArrayList<>();
        for (int at = 0; at < c.bytes.length; at += Opcodes.length(c.bytes, at)) starts.add(at);
        return starts;
    }

    private boolean code() {
        ClassModel.Code c = anyCode();
        if (c == null) return false;
        int at = any(instructions(c)), op = c.bytes[at] & 255;
        switch (random.nextInt(13)) {
        case 0: case 1: case 2: return similarOpcode(c.bytes, at, op);
        case 3: c.bytes[at] = (byte) random.nextInt(chance(90) ? 202 : 256); return true;
        case 4: noise(c.bytes); return true;
        case 5: return operand(c.bytes, at, op);
        case 6: c.maxStack = chance(50) ? c.maxStack + 1 + random.nextInt(3) : nudge(c.maxStack); return true;
        case 7: c.maxLocals = chance(50) ? c.maxLocals + 1 + random.nextInt(3) : nudge(c.maxLocals); return true;
        case 8:
            c.bytes = java.util.Arrays.copyOf(c.bytes, chance(50) ? Math.max(0, c.bytes.length - 1 - random.nextInt(4))
                                                                  : c.bytes.length + 1);
            return true;
        case 9: return blank(c, at);
        case 10: c.bytes = insert(c.bytes, at, (byte) 0); return true;
        case 11: return constant(c);
        default: if (chance(30)) c.lengthDelta = nudge(0); else return constant(c); return true;
        }
    }

    /* Another opcode with the same operands: often still well-typed. */
    private boolean similarOpcode(byte[] code, int at, int op) {
        int[][] families = {{0x60, 0x64, 0x68, 0x6c, 0x70, 0x78, 0x7a, 0x7c, 0x7e, 0x80, 0x82},
                            {0x61, 0x65, 0x69, 0x6d, 0x71, 0x7f, 0x81, 0x83},
                            {0x62, 0x66, 0x6a, 0x6e, 0x72},
                            {0x63, 0x67, 0x6b, 0x6f, 0x73},
                            {2, 3, 4, 5, 6, 7, 8},
                            {11, 12, 13},
                            {14, 15},
                            {9, 10},
                            {0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e},
                            {0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4},
                            {0xa5, 0xa6},
                            {0xc6, 0xc7},
                            {0x15, 0x17, 0x19},
                            {0x1a, 0x1b, 0x1c, 0x1d},
                            {0x2a, 0x2b, 0x2c, 0x2d},
                            {0x91, 0x92, 0x93, 0x74},
                            {0x97, 0x98},
                            {0x95, 0x96},
                            {0xb6, 0xb7, 0xb8},
                            {0xb2, 0xb3, 0xb4, 0xb5},
                            {0xc0, 0xc1, 0xbb, 0xbd},
                            {0xc2, 0xc3, 0x57},
                            {0x57, 0x58},
                            {0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f},
                            {0xac, 0xae, 0xb0},
                            {0x2e, 0x33, 0x34, 0x35},
                            {0x4f, 0x54, 0x55, 0x56},
                            {0xaa, 0xab},
                            {0xa7, 0xa8},
                            {0x1e, 0x1f, 0x20, 0x21},
                            {0x3b, 0x3c, 0x3d, 0x3e},
                            {0x4b, 0x4c, 0x4d, 0x4e}};
        for (int[] f : families)
            for (int member : f)
                if (member == op) {
                    code[at] = (byte) f[random.nextInt(f.length)];
                    return true;
                }
        return false;
    }

    private boolean operand(byte[] code, int at, int op) {
        int length = Opcodes.length(code, at);
        if (length < 2) return false;
        if (length == 2) {
            code[at + 1] = (byte) (chance(50) ? random.nextInt(8) : nudge(code[at + 1]));
            return true;
        }
        int old = u2(code, at + 1);
        boolean isBranch = op >= 0x99 && op <= 0xa8 || op == 0xc6 || op == 0xc7;
        put2(code, at + 1, isBranch ? nudge(old) : chance(70) && m.tag(old) != 0 ? anyIndex(m.tag(old)) : nudge(old));
        return true;
    }

    private boolean blank(ClassModel.Code c, int at) {
        int length = Opcodes.length(c.bytes, at);
        java.util.Arrays.fill(c.bytes, at, at + length, (byte) 0);
        return true;
    }

    /* Changes the value that a constant instruction pushes, or the step of an iinc. */
    private boolean constant(ClassModel.Code c) {
        List<Integer> found = new ArrayList<>();
        for (int at : instructions(c)) {
            int op = c.bytes[at] & 255;
            if (op >= 2 && op <= 8 || op == 0x10 || op == 0x11 || op == 0x84) found.add(at);
        }
        Integer at = any(found);
        if (at == null) return false;
        int op = c.bytes[at] & 255;
        if (op <= 8) c.bytes[at] = (byte) (2 + random.nextInt(7));
        else c.bytes[at + (op == 0x10 ? 1 : 2)] = (byte) random.nextInt(128);
        return true;
    }

    /* ---- StackMapTable ---- */

    private ClassModel.Attribute anyAttribute(ClassModel.Code c, String name) {
        for (ClassModel.Attribute a : c.attributes) if (m.text(a.name).equals(name)) return a;
        return null;
    }

    /* Where each frame of the table begins; the end is appended. */
    private static List<Integer> frames(byte[] t) {
        List<Integer> starts = new ArrayList<>();
        int at = 2;
        for (int n = u2(t, 0); n > 0; n--) {
            starts.add(at);
            int type = t[at] & 255;
            if (type < 64) at += 1;
            else if (type < 128) at = types(t, at + 1, 1);
            else if (type == 247) at = types(t, at + 3, 1);
            else if (type <= 251) at += 3;
            else if (type < 255) at = types(t, at + 3, type - 251);
            else {
                at = types(t, at + 5, u2(t, at + 3));
                at = types(t, at + 2, u2(t, at));
            }
        }
        starts.add(at);
        return starts;
    }

    private static int types(byte[] t, int at, int count) {
        for (; count > 0; count--) at += t[at] == 7 || t[at] == 8 ? 3 : 1;
        return at;
    }

    private boolean stackMap() {
        ClassModel.Code c = null;
        for (int tries = 0; tries < 20 && (c == null || anyAttribute(c, "StackMapTable") == null); tries++)
            c = anyCode();
        ClassModel.Attribute a = c == null ? null : anyAttribute(c, "StackMapTable");
        if (a == null) return false;
        byte[] t = a.data;
        List<Integer> starts = frames(t);
        int k = random.nextInt(starts.size() - 1), at = starts.get(k), size = starts.get(k + 1) - at,
            type = t[at] & 255;
        switch (random.nextInt(14)) {
        case 0: noise(t); return true;
        case 1: t[at] = (byte) random.nextInt(256); return true;
        case 2: put2(t, 0, nudge(u2(t, 0))); return true;
        case 3: a.data = remove(t, at, size); put2(a.data, 0, u2(t, 0) - 1); return true;
        case 4:
            a.data = insert(t, at, java.util.Arrays.copyOfRange(t, at, at + size));
            put2(a.data, 0, u2(t, 0) + 1);
            return true;
        case 5: if (chance(30)) c.attributes.remove(a); else c.attributes.add(a); return true;
        case 6: return mapType(t, at, size, type);
        case 7: case 8: case 9: return extend(a, at, type);
        case 10: return mapType(t, at, size, type) || extend(a, at, type);
        case 11: return generalize(t, at, size, type) || extend(a, at, type);
        case 12: return fullFrame(a, at, type);
        default:
            a.data = chance(50)   ? java.util.Arrays.copyOf(t, t.length - 1)
                     : chance(50) ? java.util.Arrays.copyOf(t, t.length + 1)
                                  : insert(t, at, (byte) random.nextInt(64));
            return true;
        }
    }

    /* The same frame in its longer form. */
    private boolean extend(ClassModel.Attribute a, int at, int type) {
        if (type >= 128) return false;
        byte[] t = insert(a.data, at + 1, (byte) 0, (byte) (type % 64));
        t[at] = (byte) (type < 64 ? 251 : 247);
        a.data = t;
        return true;
    }

    /* Positions of the types in a frame. */
    private static List<Integer> typePositions(byte[] t, int at, int type) {
        List<Integer> found = new ArrayList<>();
        int p, n;
        if (type >= 64 && type < 128) { p = at + 1; n = 1; }
        else if (type == 247) { p = at + 3; n = 1; }
        else if (type > 251 && type < 255) { p = at + 3; n = type - 251; }
        else if (type == 255) { p = at + 5; n = u2(t, at + 3); }
        else return found;
        for (int half = 0; half < (type == 255 ? 2 : 1); half++) {
            for (; n > 0; n--) {
                found.add(p);
                p = types(t, p, 1);
            }
            if (type == 255 && half == 0) {
                n = u2(t, p);
                p += 2;
            }
        }
        return found;
    }

    private boolean mapType(byte[] t, int at, int size, int type) {
        Integer p = any(typePositions(t, at, type));
        if (p == null) return false;
        int tag = t[p];
        if (tag == 7) put2(t, p + 1, chance(80) ? anyIndex(7) : nudge(u2(t, p + 1)));
        else if (tag == 8) put2(t, p + 1, nudge(u2(t, p + 1)));
        else t[p] = (byte) random.nextInt(7);
        return true;
    }

    /* A class type becomes Object, another type becomes top. */
    private boolean generalize(byte[] t, int at, int size, int type) {
        Integer p = any(typePositions(t, at, type));
        if (p == null) return false;
        if (t[p] == 7) put2(t, p + 1, m.classEntry("java/lang/Object"));
        else if (t[p] != 8) t[p] = 0;
        return true;
    }

    /* An empty frame in place of a short one. */
    private boolean fullFrame(ClassModel.Attribute a, int at, int type) {
        if (type >= 64) return false;
        byte[] t = insert(a.data, at + 1, (byte) 0, (byte) type, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        t[at] = (byte) 255;
        a.data = t;
        return true;
    }

    /* ---- exception tables ---- */

    private boolean handlers() {
        ClassModel.Code c = anyCode();
        if (c == null) return false;
        for (int tries = 0; tries < 10 && c.handlers.isEmpty(); tries++) c = anyCode();
        boolean fresh = chance(6);
        if (c.handlers.isEmpty() && !fresh) return false;
        List<Integer> starts = instructions(c);
        if (fresh) {
            int from = any(starts), to = chance(70) ? c.bytes.length : any(starts);
            c.handlers.add(new int[] {from, to, any(starts), chance(50) ? 0 : anyIndex(7)});
            return true;
        }
        int k = random.nextInt(c.handlers.size());
        int[] h = c.handlers.get(k).clone();
        c.handlers.set(k, h);
        switch (random.nextInt(12)) {
        case 0: h[0] = chance(70) ? any(starts) : nudge(h[0]); return true;
        case 1: h[1] = chance(70) ? any(starts) : nudge(h[1]); return true;
        case 2: h[2] = chance(70) ? any(starts) : nudge(h[2]); return true;
        case 3: h[3] = chance(60) ? anyIndex(7) : nudge(h[3]); return true;
        case 4:
            h[3] = chance(50) ? 0
                              : m.classEntry(new String[] {"java/lang/Throwable", "java/lang/Error", "java/lang/Object",
                                                           "no/Such"}[random.nextInt(4)]);
            return true;
        case 5: c.handlers.remove(k); return true;
        case 6: c.handlers.add(random.nextInt(c.handlers.size() + 1), h); return true;
        case 7: java.util.Collections.shuffle(c.handlers, random); return true;
        case 8: h[0] = neighbour(starts, h[0]); return true;
        case 9: h[1] = neighbour(starts, h[1]); return true;
        case 10: int t = h[0]; h[0] = h[1]; h[1] = t; return true;
        default: h[random.nextInt(4)] = random.nextInt(c.bytes.length + 20); return true;
        }
    }

    /* The instruction before or behind. */
    private int neighbour(List<Integer> starts, int at) {
        int k = starts.indexOf(at);
        if (k < 0) return at - 1;
        int n = chance(50) ? k - 1 : k + 1;
        return n < 0 ? 0 : n >= starts.size() ? at : starts.get(n);
    }

    /* ---- other attributes ---- */

    private List<List<ClassModel.Attribute>> attributeLists() {
        List<List<ClassModel.Attribute>> lists = new ArrayList<>();
        lists.add(m.attributes);
        lists.add(m.attributes); /* the class's own twice as often */
        for (ClassModel.Member x : m.fields) lists.add(x.attributes);
        for (ClassModel.Member x : m.methods) {
            lists.add(x.attributes);
            if (x.code() != null) lists.add(x.code().attributes);
        }
        return lists;
    }

    private boolean attributes() {
        List<ClassModel.Attribute> list = any(attributeLists());
        ClassModel.Attribute a = any(list);
        if (a == null || a.code != null || m.text(a.name).equals("StackMapTable")) return false;
        switch (random.nextInt(10)) {
        case 0: noise(a.data); return true;
        case 1: list.remove(a); return true;
        case 2: list.add(a); return true;
        case 3: a.lengthDelta = chance(50) ? 1 : -1; return true;
        case 4: a.name = chance(50) ? anyIndex(1) : nudge(a.name); return true;
        case 5:
            a.data = java.util.Arrays.copyOf(a.data, chance(50) ? Math.max(0, a.data.length - 1) : a.data.length + 2);
            return true;
        case 6:
        case 7:
            if (a.data.length < 2) return false;
            int at = random.nextInt(a.data.length / 2) * 2;
            put2(a.data, at, chance(50) ? anyIndex() : nudge(u2(a.data, at)));
            return true;
        case 8: return unknownAttribute(list);
        default: java.util.Collections.shuffle(list, random); return true;
        }
    }

    private boolean unknownAttribute(List<ClassModel.Attribute> list) {
        ClassModel.Attribute a = new ClassModel.Attribute();
        a.name = m.utf8(new String[] {"Unknown", "Synthetic", "Deprecated", "Signature", "SourceDebugExtension",
                                      "NestHost", "Record"}[random.nextInt(7)]);
        a.data = new byte[chance(60) ? 0 : 2];
        if (a.data.length == 2) put2(a.data, 0, anyIndex(chance(50) ? 1 : 7));
        list.add(a);
        return true;
    }
}
