import java.util.ArrayList;
import java.util.List;

/** Pieces of code that leave the operand stack as it was, and may store into local variables, fields and arrays. */
final class Statements {
    private static final int MOST = 5000; /* instructions in a method, so that it is not too long for a class file */

    private final Body b;
    private final Values values;
    private final Calls calls;
    private final Locals locals;
    private final Program program;
    private final Method self;
    private final int lock;
    private int lines;

    /** Lock: a stable local variable that holds an object to lock. */
    Statements(Body b, Values values, Calls calls, Locals locals, Method self, int lock) {
        this.b = b;
        this.values = values;
        this.calls = calls;
        this.locals = locals;
        this.program = values.program;
        this.self = self;
        this.lock = lock;
    }

    /** What both ways have in common; a handler counts on the type of a stable variable, whatever both have stored. */
    private Frame joined(Frame one, Frame other) {
        Frame f = one.joined(other, b.hierarchy::assignable);
        for (int i = 0; i < locals.size; i++)
            if (locals.stable[i] != null && !b.hierarchy.assignable(f.locals[i], locals.stable[i]))
                f.locals[i] = locals.stable[i];
        return f;
    }

    void some(int most, int depth) {
        for (int n = b.random.nextInt(most + 1); n > 0; n--) one(depth);
    }

    /** Depth: how many more pieces may be nested in it. */
    void one(int depth) {
        b.line(++lines);
        if (b.instructions() > MOST) {
            increment();
            return;
        }
        int kinds = self.level == Level.ARITHMETIC ? 10 : self.level == Level.OBJECTS ? 14
            : self.level == Level.FLOW ? 20 : 27;
        int kind = b.random.nextInt(kinds);
        if (depth <= 0 && (kind >= 4 && kind <= 7 || kind >= 14 && kind <= 18)) kind = 0;
        switch (kind) {
        case 3: increment(); break;
        case 4: case 5: either(depth - 1); break;
        case 6: loop(depth - 1); break;
        case 7: shuffle(); break;
        case 8: case 9: digest(b.oneOf(Types.PRIMITIVES), 2); break;
        case 10: case 11: putField(); break;
        case 12: case 13: putElement(); break;
        case 14: case 15: cases(depth - 1); break;
        case 16: caught(depth - 1); break;
        case 17: locked(depth - 1); break;
        case 18: thrown(); break;
        case 19: subroutine(); break;
        case 20: case 21: called(); break;
        case 22: digestObject(); break;
        case 23: replaced(); break;
        case 24: case 25: case 26: ownObject(); break;
        default: assign(); break;
        }
    }

    /* ---- local variables ---- */

    private void assign() {
        String type = b.chance(75) || self.level == Level.ARITHMETIC ? b.oneOf(Types.PRIMITIVES)
            : program.someType(b.random);
        values.value(type, 3);
        if (b.chance(10)) { /* the same into two variables */
            b.emit(Types.wide(b.frame.top(0)) ? "dup2" : "dup", 0, b.frame.top(0));
            storeSomewhere();
        }
        storeSomewhere();
    }

    private void storeSomewhere() {
        String type = b.frame.top(0);
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < locals.size; i++) if (locals.writable(i, type, b.hierarchy)) slots.add(i);
        if (slots.isEmpty()) b.pop();
        else b.store(slots.get(b.random.nextInt(slots.size())));
    }

    private void increment() {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < locals.size; i++)
            if (b.frame.locals[i].equals("I") && !locals.frozen.get(i)) slots.add(i);
        if (slots.isEmpty()) assign();
        else b.increment(slots.get(b.random.nextInt(slots.size())), b.chance(70) ? b.between(-128, 127)
                                                                             : b.between(-32768, 32767));
    }

    /** Values on the stack are moved about, then each goes somewhere. */
    private void shuffle() {
        int below = b.frame.stack.size();
        String object = self.level.has(Level.OBJECTS) && b.chance(50) ? program.someType(b.random) : "I";
        for (int n = b.between(4, 6); n > 0; n--) values.value(b.chance(30) ? object : b.oneOf(Types.PRIMITIVES), 1);
        for (int n = b.between(1, 6); n > 0; n--) { /* one reaches four values down at most */
            if (b.frame.stack.size() - below >= 4) new Shuffles(b).any();
        }
        while (b.frame.stack.size() > below) consume();
    }

    private void consume() {
        if (b.chance(50)) fold();
        else if (b.chance(70)) storeSomewhere();
        else b.pop();
    }

    /* ---- what is remembered ---- */

    void digest(String type, int depth) {
        values.value(type, depth);
        fold();
    }

    /** Takes the value on the stack into the program's result. */
    void fold() {
        String type = b.frame.top(0);
        if (self.level == Level.CALLS && b.chance(50)) {
            String parameter = Types.reference(type) ? Types.OBJECT : type;
            b.emit("invokestatic Checksum.add (" + parameter + ")V", 1);
        } else {
            foldHere(type);
        }
    }

    /** ... without a call. */
    private void foldHere(String type) {
        if (Types.reference(type)) {
            b.emit("instanceof " + Types.className(program.someType(b.random)), 1, "I");
            foldInt();
        } else {
            switch (type) {
            case "I": foldInt(); break;
            case "J": foldLong(); break;
            case "F":
                b.emit("f2d", 1, "D");
                foldDouble();
                break;
            default: foldDouble(); break;
            }
        }
    }

    private void foldInt() {
        b.emit("getstatic " + program.main() + ".hash I", 0, "I");
        Constants.pushInt(b, 31);
        b.emit("imul", 2, "I");
        b.emit("iadd", 2, "I");
        b.emit("putstatic " + program.main() + ".hash I", 1);
    }

    private void foldLong() {
        b.emit("getstatic " + program.main() + ".longHash J", 0, "J");
        b.constant("31L", "J");
        b.emit("lmul", 2, "J");
        b.emit("ladd", 2, "J");
        b.emit("putstatic " + program.main() + ".longHash J", 1);
    }

    /** The value itself, which the next one replaces, and its whole part. */
    private void foldDouble() {
        b.emit("dup2", 0, "D");
        b.emit("putstatic " + program.main() + ".last D", 1);
        b.constant("1024.0d", "D");
        b.emit("dmul", 2, "D");
        b.emit("d2l", 1, "J");
        foldLong();
    }

    private void digestObject() {
        values.value(program.someType(b.random), 2);
        b.emit("invokestatic Checksum.add (Ljava/lang/Object;)V", 1);
    }

    /* ---- fields and arrays ---- */

    private void putField() {
        boolean ofClass = b.chance(50);
        Field f = program.anyField(b.random, ofClass);
        if (!ofClass) values.value(f.owner, 1);
        values.value(Types.computed(f.descriptor), 2);
        b.emit((ofClass ? "putstatic " : "putfield ") + f.operand(), ofClass ? 1 : 2);
    }

    private void putElement() {
        String array = program.arrays().get(b.random.nextInt(program.arrays().size())), element = array.substring(1);
        values.value(array, 1);
        values.index(1);
        values.value(b.chance(90) || !Types.reference(element) ? Types.computed(element) : Types.OBJECT, 2);
        if (!b.assignable(b.frame.top(0), Types.computed(element)))
            b.emit("checkcast " + Types.className(element), 1, element);
        b.emit(Types.elementLetter(array) + "astore", 3);
    }

    /* ---- objects that mostly nobody else sees ---- */

    private void ownObject() {
        String type = program.ownClass(b.random);
        int slot = locals.size - 1;
        while (slot >= 0 && !(locals.free(slot, type) && b.chance(60))) slot--;
        if (slot < 0) {
            assign();
            return;
        }
        calls.create(type, 1);
        b.store(slot);
        locals.frozen.set(slot);
        for (int n = b.between(2, 8); n > 0; n--) useOwn(type, slot);
        if (b.chance(15)) {
            b.load(slot);
            b.emit("invokestatic Checksum.add (Ljava/lang/Object;)V", 1);
        }
        locals.frozen.clear(slot);
    }

    private void useOwn(String type, int slot) {
        Field f = program.fieldIn(b.random, type);
        String computed = Types.computed(f.descriptor);
        switch (b.random.nextInt(8)) {
        case 0: case 1: putOwn(slot, f); break;
        case 2: case 3: putInBranch(slot, f); break;
        case 4:
            b.load(slot);
            b.emit("instanceof " + Types.className(program.someType(b.random)), 1, "I");
            foldInt();
            break;
        case 5:                                  /* may leave, or throw */
            digest(b.oneOf(Types.PRIMITIVES), 2);
            break;
        default:
            b.load(slot);
            b.emit("getfield " + f.operand(), 1, computed);
            foldHere(computed);
            break;
        }
    }

    private void putOwn(int slot, Field f) {
        b.load(slot);
        values.value(Types.computed(f.descriptor), b.random.nextInt(2));
        b.emit("putfield " + f.operand(), 2);
    }

    private void putInBranch(int slot, Field f) {
        String end = b.label();
        values.condition(end, b.random.nextInt(2));
        Frame before = b.frame.copy();
        putOwn(slot, f);
        b.place(end, joined(before, b.frame));
    }

    /* ---- control ---- */

    private void either(int depth) {
        String other = b.label(), end = b.label();
        values.condition(other, 2);
        Frame before = b.frame.copy();
        some(2, depth);
        Frame first = b.frame.copy();
        b.last("goto " + end, 0);
        b.place(other, before);
        some(2, depth);
        b.place(end, joined(first, b.frame));
    }

    private void loop(int depth) {
        int counter = -1;
        for (int i = locals.size - 1; i >= 0 && counter < 0; i--) if (b.chance(50) && locals.free(i, "I")) counter = i;
        if (counter < 0) {
            assign();
            return;
        }
        Constants.pushInt(b, b.between(0, 6));
        b.store(counter);
        locals.frozen.set(counter);
        String head = b.label(), end = b.label();
        Frame entry = b.frame.copy();
        b.place(head, entry);
        boolean atEnd = b.chance(50);
        if (!atEnd) leave(counter, end);
        Frame out = b.frame.copy();
        some(3, depth);
        new Adaptation(values, locals).to(entry);
        b.increment(counter, -1);
        if (atEnd) {
            b.load(counter);
            b.emit("ifgt " + head, 1);
            b.place(end, b.frame);
        } else {
            b.last("goto " + head, 0);
            b.place(end, out);
        }
        locals.frozen.clear(counter);
    }

    private void leave(int counter, String end) {
        b.load(counter);
        b.emit("ifle " + end, 1);
    }

    /** A switch whose cases fall into each other or leave it. */
    private void cases(int depth) {
        int count = b.between(1, 5);
        String end = b.label(), fallback = b.chance(50) ? end : b.label();
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < count; i++) labels.add(b.label());
        values.value("I", 2);
        if (b.chance(70)) {
            Constants.pushInt(b, 7);
            b.emit("iand", 2, "I");
        }
        b.last(Switches.instruction(b, labels, fallback, true), 1);
        Frame before = b.frame.copy();
        Frame meeting = null;
        if (!fallback.equals(end)) labels.add(b.random.nextInt(count + 1), fallback);
        else meeting = before;
        for (String label : labels) {
            b.place(label, b.live() ? joined(before, b.frame) : before);
            some(2, depth);
            if (b.chance(60)) {
                meeting = meeting == null ? b.frame.copy() : joined(meeting, b.frame);
                b.last("goto " + end, 0);
            }
        }
        Frame last = b.frame;
        b.place(end, meeting == null ? last : b.live() ? joined(meeting, last) : meeting);
    }

    /* ---- exceptions and monitors ---- */

    private void caught(int depth) {
        String handler = b.label(), end = b.label(), from = b.mark();
        int before = b.instructions();
        one(depth);
        some(2, depth);
        if (b.instructions() == before) return;
        String to = b.mark(), type = program.someThrowable(b.random);
        Frame after = b.frame.copy();
        b.last("goto " + end, 0);
        Frame entry = locals.known();
        entry.push(type);
        b.place(handler, entry);
        b.handler(type.equals("Ljava/lang/Throwable;") && b.chance(50) ? "any" : Types.className(type), from, to,
                  handler);
        fold();
        new Adaptation(values, locals).to(after);
        b.place(end, after);
    }

    private void locked(int depth) {
        String handler = b.label(), end = b.label();
        b.load(lock);
        b.emit("monitorenter", 1);
        String from = b.mark();
        one(depth);
        some(2, depth);
        b.load(lock);
        b.emit("monitorexit", 1);
        String to = b.mark();
        Frame after = b.frame.copy();
        b.last("goto " + end, 0);
        Frame entry = locals.known();
        entry.push("Ljava/lang/Throwable;");
        b.place(handler, entry);
        b.load(lock);
        b.emit("monitorexit", 1);
        b.last("athrow", 1);
        b.handler("any", from, to, handler);
        b.place(end, after);
    }

    private void thrown() {
        String not = b.label();
        values.condition(not, 1);
        Frame before = b.frame.copy();
        if (b.chance(10)) { /* nobody owns it */
            Constants.pushInt(b, 1);
            b.emit("newarray int", 1, "[I");
            b.emit("monitorexit", 1);
        }
        values.value("Ljava/lang/RuntimeException;", 2);
        b.last("athrow", 1);
        b.place(not, before);
    }

    /** jsr and ret, which class files had until version 49. */
    private void subroutine() {
        int back = -1;
        for (int i = 0; i < locals.size; i++) if (locals.free(i, "I")) back = i;
        if (program.version > 49 || back < 0) {
            assign();
            return;
        }
        String routine = b.label(), end = b.label();
        b.emit(b.oneOf("jsr ", "jsr_w ") + routine, 0);
        Frame entry = b.frame.copy();
        b.last("goto " + end, 0);
        entry.push("R");
        b.place(routine, entry);
        b.store(back);
        locals.frozen.set(back);
        assign();
        digest(b.oneOf(Types.PRIMITIVES), 1);
        b.last((back > 255 ? "wide ret " : "ret ") + back, 0);
        locals.frozen.clear(back);
        Frame after = b.frame.copy();
        after.locals[back] = "T";
        b.place(end, after);
    }

    /* ---- calls ---- */

    private void called() {
        int before = b.frame.stack.size();
        calls.any(3);
        if (b.frame.stack.size() > before) consume();
    }

    /** A new object stored, before its constructor, where another value was. */
    private void replaced() {
        String fresh = b.emitNew("java/lang/Object");
        b.emit("dup", 0, fresh);
        storeSomewhere();
        values.value("I", 1);
        fold();
        b.emit("invokespecial java/lang/Object.<init> ()V", 1);
        b.frame.initialised(fresh, Types.OBJECT);
    }
}
