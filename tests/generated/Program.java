import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random program in bytecode: a class with static fields, two classes below it, an interface, and a driver that calls
 * their methods. The same seed and number make the same program.
 */
final class Program {
    private static final int[] VERSIONS = {49, 49, 50, 51, 52, 52, 55, 55, 61, 61};
    private static final String[] NUMBERS = {"Z", "B", "C", "S", "I", "J", "F", "D"};
    private static final String[] THROWABLES = {"Throwable", "RuntimeException", "ArithmeticException",
                                                "NullPointerException", "ArrayIndexOutOfBoundsException",
                                                "ClassCastException", "IllegalStateException"};

    final int version;
    final Hierarchy hierarchy = new Hierarchy();
    private final Random random;
    private final boolean counted;
    private final String name, base, lower, lowest, face;
    private final List<Field> fields = new ArrayList<>();
    private final List<Method> methods = new ArrayList<>(), bodies = new ArrayList<>();
    private final List<String> types = new ArrayList<>(), arrays = new ArrayList<>();
    private final Map<String, ClassAssembler> files = new LinkedHashMap<>();
    private final Map<String, List<Field>> staticFields = new HashMap<>(), instanceFields = new HashMap<>();
    private final Map<ClassAssembler, Integer> bootstraps = new LinkedHashMap<>();

    Program(long seed, int number, boolean counted) {
        random = new Random((seed * 1000003 + number) * 0x9e3779b97f4a7c15L);
        this.counted = counted;
        version = VERSIONS[random.nextInt(VERSIONS.length)];
        name = "P" + number;
        base = Types.ofClass(name);
        lower = Types.ofClass(name + "A");
        lowest = Types.ofClass(name + "B");
        face = Types.ofClass(name + "I");
        hierarchy.add(face, Types.OBJECT);
        hierarchy.add(base, Types.OBJECT, face);
        hierarchy.add(lower, base);
        hierarchy.add(lowest, lower);
        types.addAll(List.of(Types.OBJECT, Types.STRING, "Ljava/lang/Integer;", "Ljava/lang/Class;", base, lower,
                             lowest, face));
        for (String n : NUMBERS) arrays.add("[" + n);
        arrays.addAll(List.of("[" + Types.OBJECT, "[" + Types.STRING, "[" + base, "[[I", "[[" + Types.OBJECT));
        types.addAll(arrays);
    }

    /** The class files by the classes' names, the one with the driver first. */
    Map<String, byte[]> classFiles() {
        int flags = ClassAssembler.PUBLIC | ClassAssembler.SUPER;
        file(new ClassAssembler(version, flags, name, "java/lang/Object", name + "I", "Generated"));
        file(new ClassAssembler(version, flags, name + "A", name));
        file(new ClassAssembler(version, flags, name + "B", name + "A"));
        file(new ClassAssembler(version, ClassAssembler.PUBLIC | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT,
                                name + "I", "java/lang/Object"));
        fields();
        declarations();
        for (String type : List.of(base, lower, lowest)) new Constructors(this, type).generate();
        for (Method m : bodies) new MethodGenerator(this, files.get(m.owner), m, random, counted).generate();
        new Driver(this, files.get(base), random).generate();
        Map<String, byte[]> result = new LinkedHashMap<>();
        for (ClassAssembler f : files.values()) result.put(f.name(), f.toBytes());
        return result;
    }

    private void file(ClassAssembler f) { files.put(Types.ofClass(f.name()), f); }

    /* ---- fields ---- */

    private void fields() {
        ClassAssembler f = files.get(base);
        for (String own : new String[] {"hash I", "longHash J", "last D", "budget I", "lock " + Types.OBJECT})
            f.field(ClassAssembler.PUBLIC | ClassAssembler.STATIC, own.split(" ")[0], own.split(" ")[1]);
        List<String> all = new ArrayList<>(List.of(NUMBERS));
        all.addAll(List.of(Types.PRIMITIVES));
        all.addAll(types);
        for (String t : all) field(base, t, true);
        for (String owner : new String[] {base, lower, lowest})
            for (int n = 2 + random.nextInt(5); n > 0; n--) field(owner, all.get(random.nextInt(all.size())), false);
    }

    private void field(String owner, String descriptor, boolean isStatic) {
        Field f = new Field(owner, "f" + fields.size(), descriptor, isStatic);
        fields.add(f);
        int isVolatile = random.nextInt(8) == 0 ? ClassAssembler.VOLATILE : 0;
        files.get(owner).field(ClassAssembler.PUBLIC | isVolatile | (isStatic ? ClassAssembler.STATIC : 0), f.name,
                               descriptor);
    }

    List<Field> fieldsOf(String owner, boolean isStatic) {
        List<Field> found = new ArrayList<>();
        for (Field f : fields) if (f.owner.equals(owner) && f.isStatic == isStatic) found.add(f);
        return found;
    }

    /** A field that holds values of the type, null if there is none. */
    Field field(Random r, boolean isStatic, String type) {
        List<Field> fitting = (isStatic ? staticFields : instanceFields).computeIfAbsent(type, t -> {
            List<Field> found = new ArrayList<>();
            for (Field f : fields)
                if (f.isStatic == isStatic && hierarchy.assignable(Types.computed(f.descriptor), t)) found.add(f);
            return found;
        });
        return fitting.isEmpty() ? null : fitting.get(r.nextInt(fitting.size()));
    }

    Field anyField(Random r, boolean isStatic) {
        for (;;) {
            Field f = fields.get(r.nextInt(fields.size()));
            if (f.isStatic == isStatic) return f;
        }
    }

    /* ---- methods ---- */

    private void declarations() {
        int plain = ClassAssembler.PUBLIC, ofClass = plain | ClassAssembler.STATIC;
        for (int n = 2 + random.nextInt(3); n > 0; n--) declare(base, "s", ofClass | synchronizedOrNot());
        declare(lower, "s", ofClass);
        declare(base, "p", ClassAssembler.PRIVATE);
        for (int n = 1 + random.nextInt(2); n > 0; n--) {
            Method m = declare(base, "v", plain | synchronizedOrNot());
            for (String below : new String[] {lower, lowest}) if (random.nextBoolean()) override(m, below);
        }
        Method required = declared(face, "i", plain | ClassAssembler.ABSTRACT);
        files.get(face).method(required.access, required.name, required.descriptor());
        override(required, base);
        if (random.nextBoolean()) override(required, lowest);
        if (version < 52) return;
        Method given = declared(face, "i", plain);
        bodies.add(given);
        if (random.nextBoolean()) override(given, lower);
    }

    private int synchronizedOrNot() { return random.nextInt(8) == 0 ? ClassAssembler.SYNCHRONIZED : 0; }

    private Method declare(String owner, String letter, int access) {
        Method m = declared(owner, letter, access);
        bodies.add(m);
        return m;
    }

    private Method declared(String owner, String letter, int access) {
        String[] parameters = new String[random.nextInt(20) == 0 ? 5 + random.nextInt(20) : random.nextInt(5)];
        for (int i = 0; i < parameters.length; i++)
            parameters[i] = random.nextInt(3) > 0 ? NUMBERS[random.nextInt(8)] : someType(random);
        int kind = random.nextInt(10);
        String result = kind == 0 ? "V" : kind < 8 ? NUMBERS[random.nextInt(8)] : someType(random);
        Method m = new Method(owner, letter + methods.size(), parameters, result, access, someLevel(result),
                              owner.equals(face));
        methods.add(m);
        return m;
    }

    private Level someLevel(String result) {
        Level level = Level.values()[random.nextInt(4)];
        return Types.reference(result) && level == Level.ARITHMETIC ? Level.OBJECTS : level;
    }

    private void override(Method m, String owner) {
        Method other = new Method(owner, m.name, m.parameters, m.result, m.access & ~ClassAssembler.ABSTRACT,
                                  someLevel(m.result), false);
        bodies.add(other);
    }

    /** What may be called. */
    List<Method> methods() { return methods; }

    /** If a class above has code for the method that invokespecial may call from this one. */
    boolean aboveWithCode(String owner, Method m) {
        return m.owner.equals(base) && (owner.equals(lower) || owner.equals(lowest)) && !m.isPrivate();
    }

    /* ---- types ---- */

    String main() { return name; }

    String mainType() { return base; }

    /** The type of the class above one of the program's, null where that is the library's. */
    String above(String type) { return type.equals(lowest) ? lower : type.equals(lower) ? base : null; }

    ClassAssembler file(String type) { return files.get(type); }

    String someType(Random r) { return types.get(r.nextInt(types.size())); }

    String someThrowable(Random r) { return "Ljava/lang/" + THROWABLES[r.nextInt(THROWABLES.length)] + ";"; }

    List<String> arrays() { return arrays; }

    /** Classes that programs make objects of. */
    List<String> instantiable() {
        return List.of(base, lower, lowest, Types.OBJECT, "Ljava/lang/IllegalStateException;",
                       "Ljava/lang/ArithmeticException;", "Ljava/lang/NullPointerException;",
                       "Ljava/lang/ClassCastException;", "Ljava/lang/RuntimeException;");
    }

    /** One of the classes whose constructors are the program's. */
    String ownClass(Random r) { return List.of(base, lower, lowest).get(r.nextInt(3)); }

    /** An instance field of an object of the class, which one of its classes has. */
    Field fieldIn(Random r, String type) {
        for (;;) {
            Field f = anyField(r, false);
            if (hierarchy.assignable(type, f.owner)) return f;
        }
    }

    String constructor(String type) {
        if (type.equals(Types.OBJECT)) return "()V";
        return type.startsWith("Ljava") ? "(Ljava/lang/String;)V" : "(I)V";
    }

    /* ---- method handles ---- */

    /** If the version has method handles and call sites. */
    boolean handles() { return version >= 51; }

    /** The row of the file's bootstrap method, which links a call site with the static method of its name. */
    int bootstrap(ClassAssembler file) {
        return bootstraps.computeIfAbsent(file, f -> f.bootstrap(
            "handle 6 CallSites.ofName (Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
            + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;"));
    }
}
