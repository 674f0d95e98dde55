import java.util.Random;

/** The constructor of a class of a program, with one parameter, and the method that adds an object to the checksum. */
final class Constructors {
    private final Program program;
    private final ClassAssembler file;
    private final String type;

    Constructors(Program program, String type) {
        this.program = program;
        this.type = type;
        file = program.file(type);
    }

    void generate() {
        constructor();
        digest();
    }

    private void constructor() {
        Frame entry = new Frame(2);
        entry.store(0, Types.NEW_THIS);
        entry.store(1, "I");
        Body b = body(entry);
        Values values = new Values(b, program, Level.ARITHMETIC);
        if (b.chance(30)) initialise(b, values, 1);
        b.load(0);
        String above = program.above(type);
        if (above != null) values.value("I", 3);
        String name = above == null ? "java/lang/Object" : Types.className(above);
        b.emit("invokespecial " + name + ".<init> " + (above == null ? "()V" : "(I)V"), above == null ? 1 : 2);
        b.frame.initialised(Types.NEW_THIS, type);
        initialise(b, values, 100);
        b.last("return", 0);
        file.method(ClassAssembler.PUBLIC, "<init>", "(I)V", b.maxStack(), 2, b.text());
    }

    /** Stores into this class's own fields of numbers, which may be done before the constructor above has run. */
    private void initialise(Body b, Values values, int most) {
        for (Field f : program.fieldsOf(type, false)) {
            if (Types.reference(f.descriptor) || most-- <= 0) continue;
            b.load(0);
            values.value(Types.computed(f.descriptor), 1);
            b.emit("putfield " + f.operand(), 2);
        }
    }

    private void digest() {
        Frame entry = new Frame(2);
        entry.store(0, type);
        entry.store(1, "I");
        Body b = body(entry);
        String above = program.above(type);
        if (above != null) {
            b.load(0);
            b.load(1);
            b.emit("invokespecial " + Types.className(above) + ".digest (I)V", 2);
        }
        for (Field f : program.fieldsOf(type, false)) {
            b.load(0);
            b.emit("getfield " + f.operand(), 1, Types.computed(f.descriptor));
            if (Types.reference(f.descriptor)) {
                b.load(1);
                b.emit("invokestatic Checksum.add (Ljava/lang/Object;I)V", 2);
            } else {
                b.emit("invokestatic Checksum.add (" + Types.computed(f.descriptor) + ")V", 1);
            }
        }
        b.last("return", 0);
        file.method(ClassAssembler.PUBLIC, "digest", "(I)V", b.maxStack(), 2, b.text());
    }

    private Body body(Frame entry) {
        return new Body(file, new Random(program.main().hashCode() + type.hashCode()), program.hierarchy, entry,
                        program.version >= 50, false);
    }
}
