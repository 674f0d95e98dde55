import java.util.ArrayList;
import java.util.List;

/** Code that leaves one value of a wanted type on the operand stack, and changes no local variable. */
final class Values {
    private static final String[] COMPARED = {"eq", "ne", "lt", "ge", "gt", "le"};
    private static final String[] ELEMENTS = {"Z", "B", "C", "S"};

    final Body b;
    final Program program;
    final Level level;
    Calls calls;

    Values(Body b, Program program, Level level) {
        this.b = b;
        this.program = program;
        this.level = level;
    }

    /** Depth: how many more instructions with operands of their own may be nested in it. */
    void value(String type, int depth) {
        if (type.equals("N")) b.emit("aconst_null", 0, "N");
        else if (Types.reference(type)) reference(type, depth);
        else if (depth <= 0 || b.chance(20)) simple(type);
        else primitive(type, depth - 1);
    }

    /** A local variable, a constant or a static field: throws nothing. */
    void simple(String type) {
        if (b.chance(65) && loaded(type)) return;
        if (level.has(Level.OBJECTS) && b.chance(25) && staticField(type)) return;
        if (!Types.reference(type)) Constants.push(b, type);
        else if (!loaded(type) && !staticField(type)) b.emit("aconst_null", 0, "N");
    }

    private boolean loaded(String type) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < b.frame.locals.length; i++) {
            String t = b.frame.locals[i];
            if (!t.equals("T") && !Types.isNew(t) && b.assignable(t, type)) slots.add(i);
        }
        if (slots.isEmpty()) return false;
        b.load(slots.get(b.random.nextInt(slots.size())));
        return true;
    }

    private boolean staticField(String type) {
        Field f = program.field(b.random, true, type);
        if (f == null) return false;
        b.emit("getstatic " + f.operand(), 0, Types.computed(f.descriptor));
        return true;
    }

    /* ---- numbers ---- */

    private void primitive(String type, int depth) {
        int kind = b.random.nextInt(level.has(Level.OBJECTS) ? level.has(Level.FLOW) ? 15 : 14 : 11);
        if (kind < 4) binary(type, depth);
        else if (kind == 4) negated(type, depth);
        else if (kind < 7) converted(type, depth);
        else if (kind == 7) choice(type, depth);
        else if (type.equals("I") && kind == 8) compared(depth);
        else if (type.equals("I") && kind == 9) narrowed(depth);
        else if (kind < 11) division(type, depth);
        else if (kind == 11) element(type, depth);
        else if (kind == 12) field(type, depth);
        else if (kind == 13) tested(type, depth);
        else if (level.has(Level.CALLS)) calls.valueOf(type, depth);
        else calls.known(type, depth);
    }

    private void binary(String type, int depth) {
        String letter = Types.letter(type);
        boolean whole = type.equals("I") || type.equals("J");
        value(type, depth);
        if (whole && b.chance(35)) {
            value("I", depth - 1);
            b.emit(letter + b.oneOf("shl", "shr", "ushr"), 2, type);
            return;
        }
        value(type, depth);
        b.emit(letter + (whole ? b.oneOf("add", "sub", "mul", "and", "or", "xor") : b.oneOf("add", "sub", "mul")), 2,
               type);
    }

    /** Whole numbers are seldom divided by zero. */
    private void division(String type, int depth) {
        String letter = Types.letter(type);
        value(type, depth);
        value(type, depth);
        if ("IJ".contains(type) && !b.chance(10)) {
            b.emit(letter + "const_1", 0, type);
            b.emit(letter + "or", 2, type);
        }
        b.emit(letter + b.oneOf("div", "rem"), 2, type);
    }

    private void negated(String type, int depth) {
        value(type, depth);
        b.emit(Types.letter(type) + "neg", 1, type);
    }

    private void narrowed(int depth) {
        value("I", depth);
        b.emit(b.oneOf("i2b", "i2c", "i2s"), 1, "I");
    }

    private void converted(String type, int depth) {
        String from = b.oneOf(Types.PRIMITIVES);
        value(from, depth);
        if (!from.equals(type)) b.emit(Types.letter(from) + "2" + Types.letter(type), 1, type);
    }

    private void compared(int depth) {
        String of = b.oneOf("J", "F", "D");
        value(of, depth);
        value(of, depth);
        b.emit(of.equals("J") ? "lcmp" : Types.letter(of) + b.oneOf("cmpl", "cmpg"), 2, "I");
    }

    /** One of two values, with whatever is on the stack below. */
    private void choice(String type, int depth) {
        String other = b.label(), end = b.label();
        condition(other, depth);
        Frame before = b.frame.copy();
        value(type, depth);
        Frame first = b.frame.copy();
        b.last(b.chance(90) ? "goto " + end : "goto_w " + end, 0);
        b.place(other, before);
        value(type, depth);
        join(end, first, type);
    }

    /** The place where two ways to a value of the type meet: this frame, and that at the end of the code. */
    private void join(String label, Frame other, String type) {
        Frame both = other.joined(b.frame, b.hierarchy::assignable);
        both.pop();
        both.push(type);
        b.place(label, both);
    }

    /** Branches to the label, or goes on. */
    void condition(String target, int depth) {
        int kind = b.random.nextInt(level.has(Level.OBJECTS) ? 8 : 6);
        if (kind < 3) {
            value("I", depth);
            b.emit("if" + b.oneOf(COMPARED) + " " + target, 1);
        } else if (kind < 5) {
            value("I", depth);
            value("I", depth);
            b.emit("if_icmp" + b.oneOf(COMPARED) + " " + target, 2);
        } else if (kind == 5) {
            compared(depth);
            b.emit("if" + b.oneOf(COMPARED) + " " + target, 1);
        } else if (kind == 6) {
            value(Types.OBJECT, depth);
            b.emit(b.oneOf("ifnull ", "ifnonnull ") + target, 1);
        } else {
            value(Types.OBJECT, depth);
            value(Types.OBJECT, depth);
            b.emit(b.oneOf("if_acmpeq ", "if_acmpne ") + target, 2);
        }
    }

    /* ---- what objects hold ---- */

    private void element(String type, int depth) {
        String array = "[" + (type.equals("I") && b.chance(60) ? b.oneOf(ELEMENTS) : type);
        if (type.equals("I") && b.chance(15)) {
            value(b.oneOf("[I", "[Z", "[[I", "[Ljava/lang/Object;"), depth);
            b.emit("arraylength", 1, "I");
            return;
        }
        value(array, depth);
        index(depth);
        b.emit(Types.elementLetter(array) + "aload", 2, type);
    }

    /** Mostly inside the arrays that the programs make. */
    void index(int depth) {
        value("I", depth);
        if (b.chance(3)) return;
        Constants.pushInt(b, 7);
        b.emit("iand", 2, "I");
    }

    private void field(String type, int depth) {
        Field f = b.chance(50) ? program.field(b.random, false, type) : null;
        if (f == null) {
            if (!staticField(type)) simple(type);
            return;
        }
        value(f.owner, depth);
        b.emit("getfield " + f.operand(), 1, Types.computed(f.descriptor));
    }

    /** instanceof, as a number of the type. */
    private void tested(String type, int depth) {
        value(Types.OBJECT, depth);
        b.emit("instanceof " + Types.className(program.someType(b.random)), 1, "I");
        if (!type.equals("I")) b.emit("i2" + Types.letter(type), 1, type);
    }

    /* ---- references ---- */

    private void reference(String type, int depth) {
        if (b.chance(3)) {
            b.emit("aconst_null", 0, "N");
        } else if (depth <= 0 || b.chance(45)) {
            made(type, depth, b.chance(85));
        } else {
            switch (b.random.nextInt(6)) {
            case 0: cast(type, depth - 1); break;
            case 1: elementOf(type, depth - 1); break;
            case 2: notNull(type, depth - 1); break;
            case 3: choice(type, depth - 1); break;
            default: made(type, depth - 1, false); break;
            }
        }
    }

    /** From a local variable or static field, or else a new one. */
    private void made(String type, int depth, boolean known) {
        if (known && (b.chance(60) && loaded(type) || staticField(type))) return;
        if (type.equals(Types.OBJECT) && b.chance(50)) made(program.someType(b.random), depth, known);
        else if (type.startsWith("[")) newArray(type, depth);
        else if (type.equals(Types.STRING)) Constants.pushText(b);
        else if (type.equals("Ljava/lang/Class;")) constantClass();
        else if (level.has(Level.CALLS) && depth > 0) calls.newObject(type, depth);
        else simple(type);
    }

    private void constantClass() {
        b.constant("class " + Types.className(program.someType(b.random)), "Ljava/lang/Class;");
    }

    private void newArray(String type, int depth) {
        String element = type.substring(1);
        if (element.startsWith("[") && b.chance(50)) {
            Constants.pushInt(b, 8);
            Constants.pushInt(b, b.between(0, 9));
            b.emit("multianewarray " + type + " 2", 2, type);
            return;
        }
        if (b.chance(92)) {
            Constants.pushInt(b, b.between(8, 16));
        } else {
            value("I", 0);
            Constants.pushInt(b, 17);
            b.emit("irem", 2, "I");
        }
        b.emit(makes(type), 1, type);
    }

    /** The instruction that makes an array of the type. */
    static String makes(String array) {
        String element = array.substring(1);
        return Types.reference(element) ? "anewarray " + Types.className(element) : "newarray " + elementName(element);
    }

    private static String elementName(String element) {
        switch (element) {
        case "Z": return "boolean";
        case "B": return "byte";
        case "C": return "char";
        case "S": return "short";
        case "I": return "int";
        case "J": return "long";
        case "F": return "float";
        default: return "double";
        }
    }

    /** Mostly of something that is of the type. */
    private void cast(String type, int depth) {
        value(b.chance(90) ? type : Types.OBJECT, depth);
        b.emit("checkcast " + Types.className(type), 1, type);
    }

    private void elementOf(String type, int depth) {
        String array = "[" + type;
        if (!program.arrays().contains(array)) {
            value("[" + Types.OBJECT, depth);
            index(depth);
            b.emit("aaload", 2, Types.OBJECT);
            if (!type.equals(Types.OBJECT)) orElse(type, depth);
            return;
        }
        value(array, depth);
        index(depth);
        b.emit("aaload", 2, type);
    }

    /** The Object on the stack if it is of the type, else another one. */
    private void orElse(String type, int depth) {
        String not = b.label(), end = b.label();
        b.emit("dup", 0, Types.OBJECT);
        b.emit("instanceof " + Types.className(type), 1, "I");
        b.emit("ifeq " + not, 1);
        Frame before = b.frame.copy();
        b.emit("checkcast " + Types.className(type), 1, type);
        Frame good = b.frame.copy();
        b.last("goto " + end, 0);
        b.place(not, before);
        b.pop();
        simple(type);
        join(end, good, type);
    }

    /** An instance field that may be null, or else another value. */
    private void notNull(String type, int depth) {
        Field f = program.field(b.random, false, type);
        if (f == null) {
            simple(type);
            return;
        }
        String end = b.label();
        value(f.owner, depth);
        b.emit("getfield " + f.operand(), 1, f.descriptor);
        b.emit("dup", 0, f.descriptor);
        b.emit("ifnonnull " + end, 1);
        Frame before = b.frame.copy();
        b.pop();
        simple(type);
        join(end, before, type);
    }
}
