import java.util.Random;

/**
 * What makes a program go: the class's initialiser hands an object to {@link RunPrograms}, whose method {@code run}
 * fills the static fields, calls every method, and adds to the checksum what they return, throw and leave behind.
 */
final class Driver {
    private final Program program;
    private final ClassAssembler file;
    private final Random random;
    private final Body b;
    private final Values values;
    private final Calls calls;

    Driver(Program program, ClassAssembler file, Random random) {
        this.program = program;
        this.file = file;
        this.random = random;
        Method run = new Method(program.mainType(), "run", new String[] {"I"}, "V", ClassAssembler.PUBLIC, Level.CALLS,
                                false);
        b = new Body(file, random, program.hierarchy, entry(), program.version >= 50, false);
        values = new Values(b, program, Level.CALLS);
        calls = new Calls(b, values, program, run);
        values.calls = calls;
    }

    private Frame entry() {
        Frame f = new Frame(2);
        f.store(0, program.mainType());
        f.store(1, "I");
        return f;
    }

    void generate() {
        String main = program.main();
        file.method(ClassAssembler.STATIC, "<clinit>", "()V", 3, 0,
                    "new " + main + "\n dup\n iconst_3\n invokespecial " + main + ".<init> (I)V\n"
                        + "invokestatic RunPrograms.register (LGenerated;)V\n return");
        fill();
        for (Method m : program.methods()) for (int n = b.between(1, 2); n > 0; n--) protectedCall(m);
        digest();
        if (b.chance(25)) { /* whose exception ends the program */
            budget();
            calls.any(3);
            while (!b.frame.stack.isEmpty()) b.pop();
        }
        b.last("return", 0);
        file.method(ClassAssembler.PUBLIC, "run", "(I)V", b.maxStack(), 2, b.text());
    }

    private void fill() {
        b.load(0);
        b.emit("putstatic " + program.main() + ".lock Ljava/lang/Object;", 1);
        for (Field f : program.fieldsOf(program.mainType(), true)) {
            String type = f.descriptor;
            if (!Types.reference(type)) continue;
            if (type.startsWith("[")) array(type);
            else if (type.equals(Types.STRING)) Constants.pushText(b);
            else if (type.equals("Ljava/lang/Class;")) b.constant("class " + program.main(), type);
            else calls.newObject(type, 1);
            b.emit("putstatic " + f.operand(), 1);
        }
    }

    private void array(String type) {
        Constants.pushInt(b, b.between(8, 16));
        b.emit(Values.makes(type), 1, type);
        b.emit("dup", 0, type);
        b.load(1);
        b.emit("invokestatic Filling.fill (Ljava/lang/Object;I)V", 2);
        if (!type.equals("[" + program.mainType())) return;
        for (int i = 0; i < 8; i++) {
            b.emit("dup", 0, type);
            Constants.pushInt(b, i);
            calls.newObject(program.mainType(), 1);
            b.emit("aastore", 3);
        }
    }

    private void budget() {
        Constants.pushInt(b, b.between(5, 60));
        b.emit("putstatic " + program.main() + ".budget I", 1);
    }

    private void protectedCall(Method m) {
        String handler = b.label(), next = b.label();
        budget();
        String from = b.mark();
        calls.program(m, 2);
        if (!b.frame.stack.isEmpty()) {
            String type = b.frame.top(0);
            b.emit("invokestatic Checksum.add (" + (Types.reference(type) ? Types.OBJECT : type) + ")V", 1);
        }
        String to = b.mark();
        b.last("goto " + next, 0);
        Frame caught = entry();
        caught.push("Ljava/lang/Throwable;");
        b.place(handler, caught);
        b.emit("invokestatic Checksum.thrown (Ljava/lang/Throwable;)V", 1);
        b.handler("any", from, to, handler);
        b.place(next, entry());
    }

    private void digest() {
        String[] own = {"hash I", "longHash J", "last D"};
        for (String f : own) add(program.main() + "." + f, f.split(" ")[1]);
        for (Field f : program.fieldsOf(program.mainType(), true)) add(f.operand(), f.descriptor);
    }

    private void add(String field, String descriptor) {
        String type = Types.computed(descriptor);
        b.emit("getstatic " + field, 0, type);
        b.emit("invokestatic Checksum.add (" + (Types.reference(type) ? Types.OBJECT : type) + ")V", 1);
    }
}
