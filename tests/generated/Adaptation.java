/** Makes what is at the end of the code fit what a branch target expects. */
final class Adaptation {
    private final Values values;
    private final Body b;
    private final Locals locals;

    Adaptation(Values values, Locals locals) {
        this.values = values;
        this.b = values.b;
        this.locals = locals;
    }

    void to(Frame target) {
        for (int i = 0; i < locals.size; i++) {
            String wanted = target.locals[i];
            if (b.assignable(b.frame.locals[i], wanted)) continue;
            if (locals.frozen.get(i)) b.emit("iconst_0", 0, "I"); /* a counter: its loop ends */
            else values.simple(wanted);
            b.store(i);
        }
        int same = 0;
        while (same < Math.min(target.stack.size(), b.frame.stack.size())
               && b.assignable(b.frame.stack.get(same), target.stack.get(same)))
            same++;
        while (b.frame.stack.size() > same) b.pop();
        while (b.frame.stack.size() < target.stack.size()) values.value(target.stack.get(b.frame.stack.size()), 1);
    }
}
