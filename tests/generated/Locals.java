import java.util.BitSet;

/**
 * Which local variables the code of a method may write, and with what. A stable one has a type that holds from the
 * first block on, so that a handler may count on it wherever the exception comes from; the others change theirs.
 */
final class Locals {
    final int size;
    final String[] stable; /* the type, or null */
    final BitSet frozen = new BitSet(); /* not to be written: counters of loops, second halves of stable ones */

    Locals(int size) {
        this.size = size;
        stable = new String[size];
    }

    void makeStable(int slot, String type) {
        stable[slot] = type;
        if (Types.wide(type)) frozen.set(slot + 1);
    }

    /** If a value of the type may have its place there at all, whatever is there now. */
    boolean free(int slot, String type) {
        boolean fits = slot + Types.slots(type) <= size && stable[slot] == null && !frozen.get(slot);
        return fits && (!Types.wide(type) || stable[slot + 1] == null && !frozen.get(slot + 1));
    }

    boolean writable(int slot, String type, Hierarchy hierarchy) {
        if (stable[slot] == null) return free(slot, type);
        return !frozen.get(slot) && hierarchy.assignable(type, stable[slot]);
    }

    /** What a handler knows: the stable ones. */
    Frame known() {
        Frame f = new Frame(size);
        for (int i = 0; i < size; i++) if (stable[i] != null) f.locals[i] = stable[i];
        return f;
    }
}
