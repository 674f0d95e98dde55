import java.util.ArrayList;
import java.util.List;

/** Code that calls: the program's own methods, pure ones of the library, constructors, call sites. */
final class Calls {
    /** class, name, descriptor: results depend on the arguments alone. */
    private static final String[][] LIBRARY = {
        {"Integer", "bitCount", "(I)I"}, {"Integer", "reverse", "(I)I"}, {"Integer", "numberOfLeadingZeros", "(I)I"},
        {"Integer", "rotateLeft", "(II)I"}, {"Long", "numberOfTrailingZeros", "(J)I"}, {"Long", "reverseBytes", "(J)J"},
        {"Long", "compareUnsigned", "(JJ)I"}, {"Math", "max", "(II)I"}, {"Math", "min", "(DD)D"},
        {"Math", "max", "(FF)F"}, {"Math", "abs", "(J)J"}, {"Math", "abs", "(D)D"}, {"Math", "sqrt", "(D)D"},
        {"Math", "addExact", "(II)I"}, {"Math", "multiplyExact", "(JJ)J"}, {"Math", "floorMod", "(II)I"},
        {"Math", "fma", "(DDD)D"}, {"Math", "rint", "(D)D"}, {"Math", "multiplyHigh", "(JJ)J"},
        {"Float", "intBitsToFloat", "(I)F"}, {"Float", "floatToIntBits", "(F)I"},
        {"Double", "doubleToLongBits", "(D)J"},
        {"Integer", "rotateRight", "(II)I"}, {"Integer", "reverseBytes", "(I)I"}, {"Long", "bitCount", "(J)I"},
        {"Long", "rotateLeft", "(JI)J"}, {"Math", "abs", "(I)I"}, {"Math", "min", "(JJ)J"}, {"Math", "max", "(DD)D"},
        {"Math", "min", "(FF)F"}, {"Math", "abs", "(F)F"}, {"Math", "subtractExact", "(JJ)J"},
        {"Math", "negateExact", "(I)I"}, {"Math", "incrementExact", "(J)J"}, {"Math", "signum", "(D)D"},
        {"Math", "floor", "(D)D"}, {"Math", "ceil", "(D)D"}, {"Math", "round", "(F)I"}, {"Math", "round", "(D)J"},
        {"Math", "fma", "(FFF)F"}, {"Double", "longBitsToDouble", "(J)D"},
        {"Character", "isDigit", "(C)Z"}, {"String", "valueOf", "(I)Ljava/lang/String;"},
        {"Integer", "valueOf", "(I)Ljava/lang/Integer;"},
    };

    private final Body b;
    private final Values values;
    private final Program program;
    private final Method self;

    Calls(Body b, Values values, Program program, Method self) {
        this.b = b;
        this.values = values;
        this.program = program;
        this.self = self;
    }

    /** The result of a method. */
    void valueOf(String type, int depth) {
        List<Method> fitting = new ArrayList<>();
        for (Method m : program.methods())
            if (!m.result.equals("V") && b.assignable(Types.computed(m.result), type)) fitting.add(m);
        if (fitting.isEmpty() || b.chance(25)) {
            if (!library(type, depth)) values.simple(type);
        } else {
            program(fitting.get(b.random.nextInt(fitting.size())), depth);
        }
    }

    /** The result of a library method that compilers know. */
    void known(String type, int depth) {
        if (!library(type, depth)) values.simple(type);
    }

    /** A method of the program, whose result is left on the stack. */
    void any(int depth) {
        List<Method> all = program.methods();
        program(all.get(b.random.nextInt(all.size())), depth);
    }

    private boolean library(String type, int depth) {
        List<String[]> fitting = new ArrayList<>();
        for (String[] row : LIBRARY) {
            String result = row[2].substring(row[2].indexOf(')') + 1);
            if (b.assignable(Types.computed(result), type)) fitting.add(row);
        }
        if (fitting.isEmpty()) return false;
        String[] row = fitting.get(b.random.nextInt(fitting.size()));
        String[] parameters = row[2].substring(1, row[2].indexOf(')')).split("");
        arguments(parameters[0].isEmpty() ? new String[0] : parameters, depth);
        b.emit("invokestatic java/lang/" + row[0] + "." + row[1] + " " + row[2], parameters.length, type);
        return true;
    }

    private void arguments(String[] parameters, int depth) {
        for (String p : parameters) {
            values.value(Types.computed(p), depth - 1);
            narrow(p);
        }
    }

    /** A caller passes a value that the parameter's type has. */
    private void narrow(String descriptor) {
        switch (descriptor) {
        case "Z":
            b.emit("iconst_1", 0, "I");
            b.emit("iand", 2, "I");
            break;
        case "B": case "C": case "S": b.emit("i2" + descriptor.toLowerCase(), 1, "I"); break;
        default: break;
        }
    }

    void program(Method m, int depth) {
        String name = Types.className(m.owner) + "." + m.name, descriptor = m.descriptor();
        String[] result = m.result.equals("V") ? new String[0] : new String[] {Types.computed(m.result)};
        int receiver = m.isStatic() ? 0 : 1, pops = m.parameters.length + receiver;
        if (m.isStatic() && program.handles() && b.chance(6)) {
            handle(m, name, descriptor, depth, result);
            return;
        }
        if (m.isPrivate() && !self.owner.equals(m.owner)) {
            if (result.length > 0) values.simple(result[0]);
            return;
        }
        boolean above = !m.isStatic() && !self.isStatic() && program.aboveWithCode(self.owner, m);
        if (above && b.chance(50)) b.load(0);
        else above = false;
        if (!m.isStatic() && !above) values.value(m.owner, depth - 1);
        arguments(m.parameters, depth);
        String of = m.ofInterface ? "interface " : "";
        if (m.isStatic()) b.emit("invokestatic " + name + " " + descriptor, pops, result);
        else if (above || m.isPrivate() && (program.version < 55 || b.chance(50)))
            b.emit("invokespecial " + of + name + " " + descriptor, pops, result);
        else b.emit((m.ofInterface ? "invokeinterface " : "invokevirtual ") + name + " " + descriptor, pops, result);
    }

    /** By a call site or a constant method handle. */
    private void handle(Method m, String name, String descriptor, int depth, String[] result) {
        if (self.owner.equals(m.owner) && b.chance(50)) {
            arguments(m.parameters, depth);
            int row = program.bootstrap(b.file);
            b.emit("invokedynamic " + row + " " + m.name + " " + descriptor, m.parameters.length, result);
            return;
        }
        b.constant("handle 6 " + name + " " + descriptor, "Ljava/lang/invoke/MethodHandle;");
        arguments(m.parameters, depth);
        b.emit("invokevirtual java/lang/invoke/MethodHandle.invokeExact " + descriptor, m.parameters.length + 1,
               result);
    }

    /* ---- new objects ---- */

    /** One of a class that may stand for the type; its constructor's arguments are computed with it on the stack. */
    void newObject(String type, int depth) {
        List<String> fitting = new ArrayList<>();
        for (String c : program.instantiable()) if (b.assignable(c, type)) fitting.add(c);
        if (fitting.isEmpty()) {
            if (!library(type, depth)) values.simple(type);
            return;
        }
        create(fitting.get(b.random.nextInt(fitting.size())), depth);
    }

    void create(String type, int depth) {
        String name = Types.className(type), fresh = b.emitNew(name);
        if (b.chance(15)) { /* the copy that stays lies below others */
            b.emit("iconst_0", 0, "I");
            b.emit("swap", 2, "I", fresh);
            b.emit("dup_x1", 2, fresh, "I", fresh);
        } else {
            b.emit("dup", 0, fresh);
        }
        boolean swapped = b.frame.top(1).equals("I");
        String descriptor = program.constructor(type);
        if (descriptor.equals("(I)V")) values.value("I", depth - 1);
        else if (!descriptor.equals("()V")) Constants.pushText(b);
        b.emit("invokespecial " + name + ".<init> " + descriptor, descriptor.equals("()V") ? 1 : 2);
        b.frame.initialised(fresh, type);
        if (swapped) b.pop();
    }
}
