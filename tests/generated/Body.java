import java.util.List;
import java.util.Random;

/**
 * A method's code as it grows: text for {@link ClassAssembler}, and what the verifier knows at its end. Whoever emits
 * an instruction says what it pops and pushes.
 */
final class Body {
    final ClassAssembler file;
    final Random random;
    final Hierarchy hierarchy;
    Frame frame;
    private final boolean frames, counted;
    private final StringBuilder text = new StringBuilder(), handlers = new StringBuilder();
    private Frame lastFrame; /* that a row of the StackMapTable describes, or the method's first */
    private boolean live = true, framed;
    private int labels, instructions, maxStack;

    /** Counted: an instruction in front of each tells {@link Executed} of it. */
    Body(ClassAssembler file, Random random, Hierarchy hierarchy, Frame entry, boolean frames, boolean counted) {
        this.file = file;
        this.random = random;
        this.hierarchy = hierarchy;
        this.frames = frames;
        this.counted = counted;
        frame = entry;
        lastFrame = entry.copy();
    }

    boolean chance(int percent) { return random.nextInt(100) < percent; }

    int between(int low, int high) { return low + random.nextInt(high - low + 1); }

    @SafeVarargs final <T> T oneOf(T... all) { return all[random.nextInt(all.length)]; }

    /* ---- instructions ---- */

    /** Instructions so far, to tell if there is one between two labels. */
    int instructions() { return instructions; }

    int maxStack() { return maxStack + (counted ? 1 : 0); }

    boolean live() { return live; }

    /** How deep the operand stack is, in slots. */
    int depth() { return frame.depth(); }

    void emit(String instruction, int pops, String... pushes) {
        if (!live) throw new IllegalStateException("dead: " + instruction);
        if (counted) count(instruction);
        append(instruction, pops, pushes);
    }

    /** The instruction new; its place is in the type of what it leaves. */
    String emitNew(String className) {
        if (counted) count("new");
        String fresh = "U:" + mark();
        append("new " + className, 0, fresh);
        return fresh;
    }

    private void append(String instruction, int pops, String... pushes) {
        text.append(instruction).append('\n');
        for (int i = 0; i < pops; i++) frame.pop();
        for (String p : pushes) frame.push(p);
        maxStack = Math.max(maxStack, frame.depth());
        instructions++;
        framed = false;
    }

    void nops(int count) {
        text.append(".repeat ").append(count).append(" nop\n");
        instructions++;
        framed = false;
    }

    private void count(String instruction) {
        for (String word : instruction.startsWith("wide") ? instruction.split(" ") : new String[] {instruction}) {
            String mnemonic = word.split(" ")[0];
            if (!Character.isLetter(mnemonic.charAt(0))) break;
            text.append("sipush ").append(ClassAssembler.opcode(mnemonic)).append('\n');
            text.append("invokestatic Executed.one (I)V\n");
        }
    }

    /** An instruction behind which nothing goes on: goto, return, athrow. */
    void last(String instruction, int pops) {
        emit(instruction, pops);
        live = false;
    }

    void constant(String constant, String type) {
        boolean low = file.constant(constant) < 256;
        String op = Types.wide(type) ? "ldc2_w " : low && chance(80) ? "ldc " : "ldc_w ";
        emit(op + constant, 0, type);
    }

    void load(int slot) {
        String type = frame.locals[slot];
        emit(local(Types.letter(type) + "load", slot), 0, type);
    }

    void store(int slot) {
        String type = frame.top(0);
        emit(local(Types.letter(type) + "store", slot), 1);
        frame.store(slot, type);
    }

    /** One of the forms that an instruction with a local variable has. */
    private String local(String op, int slot) {
        if (slot <= 3 && chance(70)) return op + "_" + slot;
        return (slot > 255 || chance(5) ? "wide " : "") + op + " " + slot;
    }

    void increment(int slot, int by) {
        boolean small = slot < 256 && by == (byte) by;
        emit((small && !chance(5) ? "iinc " : "wide iinc ") + slot + " " + by, 0);
    }

    /** Pops one value. */
    void pop() { emit(Types.wide(frame.top(0)) ? "pop2" : "pop", 1); }

    /* ---- places ---- */

    String label() { return "L" + labels++; }

    /** A label that nothing branches to: the end of a range of a handler, or the place of a new. */
    String mark() {
        String mark = "M" + labels++;
        text.append(mark).append(":\n");
        return mark;
    }

    /** The place of a branch target, where this is known. */
    void place(String label, Frame at) {
        if (framed) emit("nop", 0);
        text.append(label).append(":\n");
        frame = at.copy();
        live = true;
        framed = true;
        maxStack = Math.max(maxStack, frame.depth());
        if (frames) text.append(".frame ").append(row()).append('\n');
        lastFrame = frame.copy();
    }

    /** A short form of a row where one says the same. */
    private String row() {
        List<String> before = lastFrame.localTypes(), now = frame.localTypes(), stack = frame.stackTypes();
        int same = 0;
        while (same < Math.min(before.size(), now.size()) && before.get(same).equals(now.get(same))) same++;
        if (same == before.size() && same == now.size() && stack.size() < 2)
            return stack.isEmpty() ? "same_extended" : "same1_extended " + stack.get(0);
        int more = now.size() - same, less = before.size() - same;
        if (stack.isEmpty() && less == 0 && more <= 3)
            return "append " + String.join(" ", now.subList(same, now.size()));
        if (stack.isEmpty() && more == 0 && less <= 3) return "chop " + less;
        return "full " + frame.full();
    }

    void line(int number) { text.append(".line ").append(number).append('\n'); }

    /** A row of the exception table; rows are tried in the order in which they come here. */
    void handler(String type, String from, String to, String handler) {
        handlers.append(".catch ").append(type).append(' ').append(from).append(' ').append(to).append(' ')
            .append(handler).append('\n');
    }

    boolean assignable(String from, String to) { return hierarchy.assignable(from, to); }

    String text() { return text.toString() + handlers; }
}
