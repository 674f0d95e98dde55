import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/** What is in the local variables and on the operand stack at one place: types as in {@link Types}. */
final class Frame {
    final String[] locals; /* the second half of a long or double is T */
    final List<String> stack = new ArrayList<>();

    Frame(int size) {
        locals = new String[size];
        Arrays.fill(locals, "T");
    }

    Frame copy() {
        Frame f = new Frame(locals.length);
        System.arraycopy(locals, 0, f.locals, 0, locals.length);
        f.stack.addAll(stack);
        return f;
    }

    void push(String type) { stack.add(type); }

    String pop() { return stack.remove(stack.size() - 1); }

    String top(int below) { return stack.get(stack.size() - 1 - below); }

    int depth() {
        int slots = 0;
        for (String t : stack) slots += Types.slots(t);
        return slots;
    }

    void store(int slot, String type) {
        if (slot > 0 && Types.wide(locals[slot - 1])) locals[slot - 1] = "T";
        locals[slot] = type;
        if (Types.wide(type)) locals[slot + 1] = "T";
    }

    /** Its constructor has run: every copy of a new object is one of the class now. */
    void initialised(String fresh, String type) {
        for (int i = 0; i < locals.length; i++) if (locals[i].equals(fresh)) locals[i] = type;
        stack.replaceAll(t -> t.equals(fresh) ? type : t);
    }

    /** What both ways into a place have in common; their stacks are equally deep. */
    Frame joined(Frame other, BiPredicate<String, String> assignable) {
        Frame f = new Frame(locals.length);
        for (int i = 0; i < locals.length; i++) f.locals[i] = common(locals[i], other.locals[i], assignable);
        for (int i = 0; i < stack.size(); i++) f.push(common(stack.get(i), other.stack.get(i), assignable));
        return f;
    }

    private static String common(String a, String b, BiPredicate<String, String> assignable) {
        if (assignable.test(a, b)) return b;
        if (assignable.test(b, a)) return a;
        return Types.reference(a) && Types.reference(b) ? Types.OBJECT : "T";
    }

    /** The operands of ClassAssembler's {@code .frame full}. */
    String full() { return String.join(" ", localTypes()) + " | " + String.join(" ", stackTypes()); }

    List<String> localTypes() {
        List<String> types = new ArrayList<>();
        int end = locals.length;
        while (end > 0 && locals[end - 1].equals("T")) end--;
        for (int i = 0; i < end; i += Types.slots(locals[i])) types.add(Types.verification(locals[i]));
        return types;
    }

    List<String> stackTypes() {
        List<String> types = new ArrayList<>();
        for (String t : stack) types.add(Types.verification(t));
        return types;
    }
}
