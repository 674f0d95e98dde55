// Assembles class files from text, for programs that need bytecode which javac does not write.
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One class under construction. Method bodies are lines of {@code mnemonic operand...}; {@code name:} is a label,
 * {@code .catch Type from to handler} an exception table row ({@code any} for finally), {@code .line n} a line number
 * row,
 * {@code .repeat n instruction} a branch-free instruction n times, {@code #} begins a comment.
 *
 * <p>{@code .frame form ...} is a row of the StackMapTable at this place: {@code same}, {@code same_extended}, {@code
 * same1 type},
 * {@code same1_extended type}, {@code chop n}, {@code append type...}, {@code full type... | type...} or {@code bytes
 * b...}, a row as it stands. A type is {@code top int float double long null uninitializedThis}, {@code new:label} or a
 * class. {@code .frames n} states another number of rows than there are.
 *
 * <p>Constants: {@code 5 5L 1.5f 1.5d "text" class X type (I)V handle kind Owner.name desc dynamic bootstrap name
 * desc}. Members: {@code Owner.name desc}, with
 * {@code interface} in front where the constant is an InterfaceMethodref (implied by invokeinterface). Labels stand for
 * branch targets;
 * {@code tableswitch low A B : D} and {@code lookupswitch 1=A 7=B : D}.
 */
public final class ClassAssembler {
    public static final int PUBLIC = 1, PRIVATE = 2, PROTECTED = 4, STATIC = 8, FINAL = 16, SYNCHRONIZED = 32,
                            SUPER = 32, VOLATILE = 64, BRIDGE = 64, VARARGS = 128, NATIVE = 256, INTERFACE = 512,
                            ABSTRACT = 1024, SYNTHETIC = 4096;

    private static final String[] OPCODES =
        ("nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 "
            + "fconst_1 fconst_2 dconst_0 dconst_1 "
         + "bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 "
             + "lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 "
         + "dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload "
             + "istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 "
         + "lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 "
             + "dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore "
         + "aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd "
             + "isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem "
         + "frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f "
             + "i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl "
         + "dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq "
             + "if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn "
         + "dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic "
             + "invokeinterface invokedynamic new newarray anewarray arraylength athrow "
         + "checkcast instanceof monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w")
            .split(" ");
    private static final List<String> ELEMENT_TYPES =
        List.of("boolean", "char", "float", "double", "byte", "short", "int", "long");
    private static final Map<String, Integer> CODES = new HashMap<>();
    private static final Pattern SPACES = Pattern.compile(" +");
    static {
        for (int i = 0; i < OPCODES.length; i++) CODES.put(OPCODES[i], i);
    }

    /** A growing big-endian byte string. */
    private static final class Bytes {
        private byte[] bytes = new byte[64];
        private int size;
        Bytes u1(int v) {
            room(1);
            bytes[size++] = (byte) v;
            return this;
        }
        Bytes u2(int v) { return u1(v >> 8).u1(v); }
        Bytes u4(int v) { return u2(v >> 16).u2(v); }
        Bytes u8(long v) { return u4((int) (v >> 32)).u4((int) v); }
        Bytes all(byte[] b) {
            room(b.length);
            System.arraycopy(b, 0, bytes, size, b.length);
            size += b.length;
            return this;
        }
        Bytes utf(String s) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                new DataOutputStream(out).writeUTF(s);
            } catch (IOException e) {
                throw new IllegalArgumentException(e);
            }
            return all(out.toByteArray());
        }
        int size() { return size; }
        byte[] array() { return Arrays.copyOf(bytes, size); }
        private void room(int more) {
            if (size + more > bytes.length) bytes = Arrays.copyOf(bytes, 2 * (size + more));
        }
    }

    private final int version, access;
    private final Bytes pool = new Bytes(), fields = new Bytes(), methods = new Bytes(), attributes = new Bytes(),
                        bootstraps = new Bytes();
    private final Map<String, Integer> constants = new HashMap<>();
    private int poolCount = 1, fieldCount, methodCount, attributeCount, bootstrapCount;
    private final int self, parent;
    private final int[] interfaces;
    private final String name;

    public ClassAssembler(int version, int access, String name, String parent, String... interfaces) {
        this.version = version;
        this.access = access;
        this.name = name;
        self = type(name);
        this.parent = parent == null ? 0 : type(parent);
        this.interfaces = new int[interfaces.length];
        for (int i = 0; i < interfaces.length; i++) this.interfaces[i] = type(interfaces[i]);
    }

    /** The number of an instruction. */
    public static int opcode(String mnemonic) { return CODES.get(mnemonic); }

    /** The name of an instruction. */
    public static String mnemonic(int opcode) { return OPCODES[opcode]; }

    /** A public class extending Object. */
    public ClassAssembler(int version, String name) { this(version, PUBLIC | SUPER, name, "java/lang/Object"); }

    public String name() { return name.replace('/', '.'); }

    private interface Writer {
        void write(Bytes b);
    }
    private int entry(String key, int slots, Writer w) {
        Integer known = constants.get(key);
        if (known != null) return known;
        w.write(pool);
        int index = poolCount;
        poolCount += slots;
        constants.put(key, index);
        return index;
    }
    public int utf8(String s) { return entry("u" + s, 1, b -> b.u1(1).utf(s)); }
    public int type(String s) {
        int u = utf8(s);
        return entry("c" + s, 1, b -> b.u1(7).u2(u));
    }
    private int nameAndType(String n, String d) {
        int u = utf8(n), v = utf8(d);
        return entry("n" + n + " " + d, 1, b -> b.u1(12).u2(u).u2(v));
    }
    private int member(int tag, String ownerAndName, String desc) {
        int dot = ownerAndName.lastIndexOf('.');
        int owner = type(ownerAndName.substring(0, dot)), nt = nameAndType(ownerAndName.substring(dot + 1), desc);
        return entry("m" + tag + ownerAndName + " " + desc, 1, b -> b.u1(tag).u2(owner).u2(nt));
    }
    /** The index of a constant, which is added if it is new; {@code ldc} has room for those below 256. */
    public int constant(String text) {
        if (text.startsWith("\"")) {
            int u = utf8(text.substring(1, text.length() - 1));
            return entry("s" + text, 1, b -> b.u1(8).u2(u));
        }
        String[] w = text.split(" ");
        switch (w[0]) {
            case "class": return type(w[1]);
            case "type": {
                int u = utf8(w[1]);
                return entry(text, 1, b -> b.u1(16).u2(u));
            }
            case "handle": {
                int kind = Integer.parseInt(w[1]);
                boolean onInterface = w[2].equals("interface") || kind == 9;
                int first = w[2].equals("interface") ? 3 : 2;
                int m = member(kind <= 4 ? 9 : onInterface ? 11 : 10, w[first], w[first + 1]);
                return entry(text, 1, b -> b.u1(15).u1(kind).u2(m));
            }
            case "dynamic": {
                int nt = nameAndType(w[2], w[3]);
                return entry(text, 1, b -> b.u1(17).u2(Integer.parseInt(w[1])).u2(nt));
            }
            default: break;
        }
        char last = text.charAt(text.length() - 1);
        String number = text.substring(0, text.length() - 1);
        switch (last) {
            case 'L': return entry(text, 2, b -> b.u1(5).u8(Long.parseLong(number)));
            case 'f': return entry(text, 1, b -> b.u1(4).u4(Float.floatToRawIntBits(Float.parseFloat(number))));
            case 'd': return entry(text, 2, b -> b.u1(6).u8(Double.doubleToRawLongBits(Double.parseDouble(number))));
            default: return entry(text, 1, b -> b.u1(3).u4(Integer.parseInt(text)));
        }
    }

    /** Adds a BootstrapMethods row and returns its index; handle and arguments are constants as in the text form. */
    public int bootstrap(String handle, String... args) {
        int h = constant(handle);
        int[] a = new int[args.length];
        for (int i = 0; i < a.length; i++) a[i] = constant(args[i]);
        bootstraps.u2(h).u2(a.length);
        for (int i : a) bootstraps.u2(i);
        return bootstrapCount++;
    }
    public ClassAssembler attribute(String attributeName, byte[] content) {
        attributes.u2(utf8(attributeName)).u4(content.length).all(content);
        attributeCount++;
        return this;
    }
    public ClassAssembler field(int access, String name, String desc) { return field(access, name, desc, null); }
    public ClassAssembler field(int access, String name, String desc, String constantValue) {
        fields.u2(access).u2(utf8(name)).u2(utf8(desc)).u2(constantValue == null ? 0 : 1);
        if (constantValue != null) fields.u2(utf8("ConstantValue")).u4(2).u2(constant(constantValue));
        fieldCount++;
        return this;
    }
    /** A method without code. */
    public ClassAssembler method(int access, String name, String desc) {
        methods.u2(access).u2(utf8(name)).u2(utf8(desc)).u2(0);
        methodCount++;
        return this;
    }
    public ClassAssembler method(int access, String name, String desc, int stack, int locals, String text) {
        Map<String, Integer> labels = new HashMap<>();
        List<Line> lines = lines(text);
        assemble(lines, labels, false, new Tables());
        Tables tables = new Tables();
        byte[] code = assemble(lines, labels, true, tables);
        Bytes handlers = tables.handlers, extra = new Bytes();
        int count = 0;
        if (tables.lines.size() > 0) {
            extra.u2(utf8("LineNumberTable"))
                .u4(2 + tables.lines.size())
                .u2(tables.lines.size() / 4)
                .all(tables.lines.array());
            count++;
        }
        if (tables.frameCount > 0) {
            extra.u2(utf8("StackMapTable"))
                .u4(2 + tables.frames.size())
                .u2(tables.frameCount)
                .all(tables.frames.array());
            count++;
        }
        methods.u2(access).u2(utf8(name)).u2(utf8(desc)).u2(1);
        methods.u2(utf8("Code")).u4(12 + code.length + handlers.size() + extra.size());
        methods.u2(stack).u2(locals).u4(code.length).all(code).u2(handlers.size() / 8).all(handlers.array());
        methods.u2(count).all(extra.array());
        methodCount++;
        return this;
    }
    /** Two-byte numbers as an attribute's content. */
    public static byte[] u2s(int... numbers) {
        Bytes b = new Bytes();
        for (int n : numbers) b.u2(n);
        return b.array();
    }
    /** A no-argument constructor of a class below Object. */
    public ClassAssembler constructor(int access) {
        return method(access, "<init>", "()V", 1, 1, "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
    }
    /** A public no-argument constructor that calls the superclass's. */
    public ClassAssembler constructor(String parentName) {
        return method(PUBLIC, "<init>", "()V", 1, 1, "aload_0\n invokespecial " + parentName + ".<init> ()V\n return");
    }

    private static int target(Map<String, Integer> labels, boolean known, String label) {
        Integer at = labels.get(label);
        if (at == null && known) throw new IllegalArgumentException("no label " + label);
        return at == null ? 0 : at;
    }

    /** What stands beside the code. */
    private static final class Tables {
        final Bytes handlers = new Bytes(), lines = new Bytes(), frames = new Bytes();
        int frameCount, lastFrame = -1;
    }

    private static final List<String> VERIFICATION_TYPES =
        List.of("top", "int", "float", "double", "long", "null", "uninitializedThis");

    private void types(Bytes out, List<String> types, Map<String, Integer> labels, boolean known) {
        for (String t : types) {
            int simple = VERIFICATION_TYPES.indexOf(t);
            if (simple >= 0) out.u1(simple);
            else if (t.startsWith("new:")) out.u1(8).u2(target(labels, known, t.substring(4)));
            else out.u1(7).u2(type(t));
        }
    }

    private void frame(Tables tables, int at, String[] words, Map<String, Integer> labels, boolean known) {
        int delta = at - tables.lastFrame - 1;
        Bytes out = tables.frames;
        List<String> rest = List.of(words).subList(1, words.length);
        switch (words[0]) {
            case "same": out.u1(delta); break;
            case "same_extended": out.u1(251).u2(delta); break;
            case "same1": out.u1(64 + delta); break;
            case "same1_extended": out.u1(247).u2(delta); break;
            case "chop": out.u1(251 - Integer.parseInt(words[1])).u2(delta); break;
            case "append": out.u1(251 + rest.size()).u2(delta); break;
            case "full": {
                int bar = rest.indexOf("|");
                List<String> locals = rest.subList(0, bar), stack = rest.subList(bar + 1, rest.size());
                types(out.u1(255).u2(delta).u2(locals.size()), locals, labels, known);
                types(out.u2(stack.size()), stack, labels, known);
                break;
            }
            case "bytes":
                for (String b : rest) out.u1(Integer.decode(b));
                break;
            default: throw new IllegalArgumentException("no frame " + words[0]);
        }
        if (words[0].startsWith("same1") || words[0].equals("append")) types(out, rest, labels, known);
        tables.lastFrame = at;
        tables.frameCount++;
    }

    /** One line of a method's text that is no comment. */
    private static final class Line {
        final String op, rest;
        final String[] words; // of the rest

        Line(String text) {
            int space = text.indexOf(' ');
            op = space < 0 ? text : text.substring(0, space);
            rest = space < 0 ? "" : text.substring(space + 1).trim();
            words = rest.indexOf(' ') < 0 ? new String[] {rest} : SPACES.split(rest);
        }

        boolean isLabel() { return op.endsWith(":") && rest.isEmpty(); }
    }

    private static List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        for (String raw : text.split("\n")) {
            String line = raw.trim();
            if (!line.isEmpty() && !line.startsWith("#")) lines.add(new Line(line));
        }
        return lines;
    }

    private byte[] assemble(List<Line> lines, Map<String, Integer> labels, boolean known, Tables tables) {
        Bytes code = new Bytes();
        for (Line line : lines) {
            String op = line.op, rest = line.rest;
            String[] w = line.words;
            if (line.isLabel()) {
                labels.put(op.substring(0, op.length() - 1), code.size());
                continue;
            }
            int at = code.size();
            if (op.equals(".line")) {
                tables.lines.u2(at).u2(Integer.parseInt(rest));
                continue;
            }
            if (op.equals(".catch")) {
                if (known)
                    tables.handlers.u2(target(labels, true, w[1]))
                        .u2(target(labels, true, w[2]))
                        .u2(target(labels, true, w[3]))
                        .u2(w[0].equals("any") ? 0 : type(w[0]));
                continue;
            }
            if (op.equals(".frame")) {
                frame(tables, at, w, labels, known);
                continue;
            }
            if (op.equals(".frames")) {
                tables.frameCount = Integer.parseInt(rest);
                continue;
            }
            if (op.equals(".repeat")) {
                byte[] one = assemble(lines(rest.substring(w[0].length())), labels, known, tables);
                for (int i = Integer.parseInt(w[0]); i > 0; i--) code.all(one);
                continue;
            }
            if (op.equals(".byte")) {
                for (String b : w) code.u1(Integer.decode(b));
                continue;
            }
            Integer opcode = CODES.get(op);
            if (opcode == null) throw new IllegalArgumentException("no instruction " + op);
            code.u1(opcode);
            switch (op) {
                case "bipush":
                case "ret":
                case "iload":
                case "lload":
                case "fload":
                case "dload":
                case "aload":
                case "istore":
                case "lstore":
                case "fstore":
                case "dstore":
                case "astore": code.u1(Integer.parseInt(rest)); break;
                case "sipush": code.u2(Integer.parseInt(rest)); break;
                case "ldc": code.u1(constant(rest)); break;
                case "ldc_w":
                case "ldc2_w": code.u2(constant(rest)); break;
                case "iinc": code.u1(Integer.parseInt(w[0])).u1(Integer.parseInt(w[1])); break;
                case "wide":
                    code.u1(CODES.get(w[0])).u2(Integer.parseInt(w[1]));
                    if (w[0].equals("iinc")) code.u2(Integer.parseInt(w[2]));
                    break;
                case "goto_w":
                case "jsr_w": code.u4(target(labels, known, rest) - at); break;
                case "tableswitch":
                case "lookupswitch": {
                    boolean dense = op.equals("tableswitch");
                    while (code.size() % 4 != 0) code.u1(0);
                    List<String> cases = new ArrayList<>(List.of(w));
                    String fallback = cases.remove(cases.size() - 1);
                    cases.remove(cases.size() - 1);
                    code.u4(target(labels, known, fallback) - at);
                    if (dense) {
                        int low = Integer.parseInt(cases.remove(0));
                        code.u4(low).u4(low + cases.size() - 1);
                        for (String c : cases) code.u4(target(labels, known, c) - at);
                    } else {
                        code.u4(cases.size());
                        for (String c : cases)
                            code.u4(Integer.parseInt(c.substring(0, c.indexOf('='))))
                                .u4(target(labels, known, c.substring(c.indexOf('=') + 1)) - at);
                    }
                    break;
                }
                case "getstatic":
                case "putstatic":
                case "getfield":
                case "putfield": code.u2(member(9, w[0], w[1])); break;
                case "invokevirtual":
                case "invokespecial":
                case "invokestatic":
                    code.u2(w[0].equals("interface") ? member(11, w[1], w[2]) : member(10, w[0], w[1]));
                    break;
                case "invokeinterface": code.u2(member(11, w[0], w[1])).u1(argumentSlots(w[1]) + 1).u1(0); break;
                case "invokedynamic": {
                    int nt = nameAndType(w[1], w[2]);
                    code.u2(entry("y" + rest, 1, b -> b.u1(18).u2(Integer.parseInt(w[0])).u2(nt))).u2(0);
                    break;
                }
                case "new":
                case "anewarray":
                case "checkcast":
                case "instanceof": code.u2(type(rest)); break;
                case "newarray": code.u1(4 + ELEMENT_TYPES.indexOf(rest)); break;
                case "multianewarray": code.u2(type(w[0])).u1(Integer.parseInt(w[1])); break;
                default:
                    if (opcode >= 153 && opcode <= 168 || opcode == 198 || opcode == 199)
                        code.u2(target(labels, known, rest) - at);
                    else if (!rest.isEmpty())
                        throw new IllegalArgumentException("operand for " + op);
            }
        }
        return code.array();
    }

    private static int argumentSlots(String desc) {
        int slots = 0;
        for (int i = 1; desc.charAt(i) != ')'; i++) {
            char c = desc.charAt(i);
            slots += c == 'J' || c == 'D' ? 2 : 1;
            while (desc.charAt(i) == '[') i++;
            if (desc.charAt(i) == 'L') i = desc.indexOf(';', i);
        }
        return slots;
    }

    public byte[] toBytes() {
        if (bootstrapCount > 0) {
            attribute("BootstrapMethods", new Bytes().u2(bootstrapCount).all(bootstraps.array()).array());
            bootstrapCount = 0;
        }
        Bytes b = new Bytes()
                      .u4(0xCAFEBABE)
                      .u4(version)
                      .u2(poolCount)
                      .all(pool.array())
                      .u2(access)
                      .u2(self)
                      .u2(parent)
                      .u2(interfaces.length);
        for (int i : interfaces) b.u2(i);
        return b.u2(fieldCount)
            .all(fields.array())
            .u2(methodCount)
            .all(methods.array())
            .u2(attributeCount)
            .all(attributes.array())
            .array();
    }

    /** A loader of assembled classes, looked at before its parent. */
    public static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes = new LinkedHashMap<>();
        public Loader(ClassLoader parent, ClassAssembler... all) {
            super(parent);
            for (ClassAssembler a : all) classes.put(a.name(), a.toBytes());
        }
        public Loader add(String className, byte[] bytes) {
            classes.put(className, bytes);
            return this;
        }
        @Override
        protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(className)) {
                Class<?> c = findLoadedClass(className);
                byte[] b = classes.get(className);
                if (c == null && b != null) c = defineClass(className, b, 0, b.length);
                return c != null ? c : super.loadClass(className, resolve);
            }
        }
    }

    /** Defines the classes in a new loader and returns the first, not yet initialised. */
    public static Class<?> load(ClassAssembler... all) throws ClassNotFoundException {
        return new Loader(ClassAssembler.class.getClassLoader(), all).loadClass(all[0].name());
    }

    /** Calls a static method of the given name of a class; unwraps what it throws. */
    public static Object call(Class<?> c, String method, Object... args) throws Throwable {
        for (java.lang.reflect.Method m : c.getDeclaredMethods()) {
            if (m.getName().equals(method)) {
                try {
                    m.setAccessible(true);
                    return m.invoke(null, args);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    throw e.getTargetException();
                }
            }
        }
        throw new NoSuchMethodException(method);
    }
}
