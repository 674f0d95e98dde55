import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The code of one method: blocks in an order of their own, each of which jumps to any. What is in the local variables
 * and on the stack at the begin of each is chosen first, and whoever jumps there makes it so. Every block takes from
 * the method's fuel and leaves the method when there is none; every call takes from the program's.
 */
final class MethodGenerator {
    private static final int LONG = 33000; /* bytes: farther than an offset of two bytes reaches */

    private final Program program;
    private final Method method;
    private final Random random;
    private final Locals locals;
    private final Body b;
    private final Values values;
    private final Statements statements;
    private final boolean far, counted;
    private final int fuel, lock;
    private final List<Frame> shapes = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>(), handlers = new ArrayList<>();
    private final List<String> marks = new ArrayList<>();
    private final List<Integer> marked = new ArrayList<>(); /* instructions in front of each mark */

    private static final class Block {
        final String label;
        final Frame entry;

        Block(String label, Frame entry) {
            this.label = label;
            this.entry = entry;
        }
    }

    MethodGenerator(Program program, ClassAssembler file, Method method, Random random, boolean counted) {
        this.program = program;
        this.method = method;
        this.random = random;
        this.counted = counted;
        int parameters = method.isStatic() ? 0 : 1;
        for (String p : method.parameters) parameters += Types.slots(p);
        boolean wide = random.nextInt(12) == 0;
        far = random.nextInt(200) == 0;
        locals = new Locals(parameters + 5 + random.nextInt(12) + (wide ? 256 : 0));
        Frame entry = new Frame(locals.size);
        int slot = 0;
        if (!method.isStatic()) declare(entry, slot++, method.owner);
        for (String p : method.parameters) {
            declare(entry, slot, Types.computed(p));
            slot += Types.slots(p);
        }
        if (!method.isStatic()) locals.frozen.set(0);
        b = new Body(file, random, program.hierarchy, entry, program.version >= 50, counted);
        values = new Values(b, program, method.level);
        values.calls = new Calls(b, values, program, method);
        fuel = unused("I");
        locals.makeStable(fuel, "I");
        locals.frozen.set(fuel);
        lock = method.level.has(Level.FLOW) ? unused(Types.OBJECT) : -1;
        if (lock >= 0) {
            locals.makeStable(lock, Types.OBJECT);
            locals.frozen.set(lock);
        }
        statements = new Statements(b, values, values.calls, locals, method, lock);
    }

    private void declare(Frame entry, int slot, String type) {
        entry.store(slot, type);
        locals.makeStable(slot, type);
    }

    private int unused(String type) {
        for (;;) {
            int slot = random.nextInt(locals.size);
            if (locals.free(slot, type)) return slot;
        }
    }

    /** Adds the method to its class. */
    void generate() {
        begin();
        plan();
        int entered = random.nextInt(blocks.size());
        jump(blocks.get(entered));
        for (int i = 0; i < blocks.size(); i++) {
            block(blocks.get(i), i + 1 < blocks.size() ? blocks.get(i + 1) : null);
            if (far && !counted && i == blocks.size() / 2) filler();
        }
        for (Block h : handlers) block(h, null);
        rows();
        b.file.method(method.access, method.name, method.descriptor(), b.maxStack(), locals.size, b.text());
    }

    /* ---- before the first block ---- */

    private void begin() {
        String go = b.label(), budget = program.main() + ".budget I";
        b.emit("getstatic " + budget, 0, "I");
        b.emit("iconst_1", 0, "I");
        b.emit("isub", 2, "I");
        b.emit("dup", 0, "I");
        b.emit("putstatic " + budget, 1);
        b.emit("ifgt " + go, 1);
        Frame before = b.frame.copy();
        leave();
        b.place(go, before);
        boolean busy = !method.level.has(Level.FLOW) && b.chance(3);
        Constants.pushInt(b, busy ? 3000 : b.between(3, 40));
        b.store(fuel);
        if (lock >= 0) {
            if (!method.isStatic() && b.chance(50)) b.load(0);
            else b.emit("getstatic " + program.main() + ".lock Ljava/lang/Object;", 0, Types.OBJECT);
            b.store(lock);
        }
        for (int i = b.between(0, 3); i > 0; i--) stableLocal();
    }

    private void stableLocal() {
        String type = someType();
        for (int tries = 0; tries < 10; tries++) {
            int slot = random.nextInt(locals.size);
            if (!locals.free(slot, type)) continue;
            values.simple(type);
            b.store(slot);
            locals.makeStable(slot, type);
            return;
        }
    }

    private String someType() {
        return method.level == Level.ARITHMETIC || b.chance(70) ? b.oneOf(Types.PRIMITIVES) : program.someType(random);
    }

    /** Chooses the blocks, and what each finds at its begin. */
    private void plan() {
        for (int n = b.between(1, 4); n > 0; n--) {
            Frame shape = locals.known();
            for (int i = 0; i < locals.size; i++) {
                String type = someType();
                if (locals.free(i, type) && b.chance(locals.size > 256 ? 5 : 60)) {
                    shape.store(i, type);
                    if (Types.wide(type)) i++;
                }
            }
            if (b.chance(50)) for (int depth = b.between(1, 4); depth > 0; depth--) shape.push(someType());
            shapes.add(shape);
        }
        for (int n = b.between(1, 6); n > 0; n--)
            blocks.add(new Block(b.label(), shapes.get(random.nextInt(shapes.size()))));
        if (!method.level.has(Level.FLOW)) return;
        for (int n = b.between(0, 2); n > 0; n--) {
            Frame entry = locals.known();
            entry.push(program.someThrowable(random));
            handlers.add(new Block(b.label(), entry));
        }
    }

    /* ---- blocks ---- */

    /** Next: the block that the code of this one may run into, or null. */
    private void block(Block block, Block next) {
        b.place(block.label, block.entry);
        mark();
        burn();
        if (handlers.contains(block) && b.chance(70)) statements.fold();
        statements.some(3, 2);
        for (int n = b.between(0, 2); n > 0; n--) {
            mark();
            branch(target());
            statements.some(2, 2);
        }
        mark();
        if (next != null && !far && b.chance(35)) new Adaptation(values, locals).to(next.entry);
        else end();
    }

    private void burn() {
        String go = b.label();
        b.increment(fuel, -1);
        b.load(fuel);
        b.emit("ifgt " + go, 1);
        Frame before = b.frame.copy();
        for (int n = b.between(0, 2); n > 0; n--) {
            values.simple(b.oneOf(Types.PRIMITIVES));
            statements.fold();
        }
        leave();
        b.place(go, before);
    }

    /** Returns; throws nothing. */
    private void leave() {
        if (method.result.equals("V")) {
            b.last("return", 0);
            return;
        }
        String type = Types.computed(method.result);
        values.simple(type);
        b.last(Types.letter(type) + "return", 1);
    }

    private Block target() { return blocks.get(random.nextInt(blocks.size())); }

    private void jump(Block to) {
        new Adaptation(values, locals).to(to.entry);
        b.last((far || b.chance(10) ? "goto_w " : "goto ") + to.label, 0);
    }

    private void branch(Block to) {
        new Adaptation(values, locals).to(to.entry);
        if (!far) {
            values.condition(to.label, 2);
            return;
        }
        String not = b.label();
        values.condition(not, 2);
        Frame before = b.frame.copy();
        b.last("goto_w " + to.label, 0);
        b.place(not, before);
    }

    private void end() {
        int kind = random.nextInt(10);
        if (kind == 0) {
            String type = Types.computed(method.result);
            if (!type.equals("V")) values.value(type, 3);
            b.last(type.equals("V") ? "return" : Types.letter(type) + "return", type.equals("V") ? 0 : 1);
        } else if (kind == 1 && method.level.has(Level.FLOW)) {
            values.value("Ljava/lang/RuntimeException;", 2);
            b.last("athrow", 1);
        } else if (kind <= 3 && method.level.has(Level.FLOW)) {
            switched();
        } else {
            jump(target());
        }
    }

    /** To one of the blocks that expect the same. */
    private void switched() {
        Block fallback = target();
        List<String> targets = new ArrayList<>();
        for (Block other : blocks) if (other.entry == fallback.entry && b.chance(80)) targets.add(other.label);
        if (targets.isEmpty()) targets.add(fallback.label);
        new Adaptation(values, locals).to(fallback.entry);
        values.value("I", 2);
        b.last(Switches.instruction(b, targets, fallback.label, false), 1);
    }

    /** So much code that nobody runs that jumps over it are long. */
    private void filler() {
        b.place(b.label(), locals.known());
        b.nops(LONG);
        leave();
    }

    /* ---- handlers ---- */

    private void mark() {
        marks.add(b.mark());
        marked.add(b.instructions());
    }

    /** Ranges without regard for blocks, or for each other. */
    private void rows() {
        for (int n = handlers.isEmpty() ? 0 : b.between(1, 5); n > 0; n--) {
            int first = random.nextInt(marks.size()), last = random.nextInt(marks.size());
            if (first > last || marked.get(first).equals(marked.get(last))) continue;
            Block handler = handlers.get(random.nextInt(handlers.size()));
            String caught = Types.className(handler.entry.top(0));
            boolean any = caught.equals("java/lang/Throwable") && b.chance(50);
            b.handler(any ? "any" : caught, marks.get(first), marks.get(last), handler.label);
        }
    }
}
