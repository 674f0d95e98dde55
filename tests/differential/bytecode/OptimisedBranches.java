// Branches whose outcome the ways to them know, and checks that a branch has made already: optimised code leaves both
// out, whatever the values are, and debuggers and exceptions find what they always do.
public class OptimisedBranches {
    static final int TIMES = 20_000;

    int size;
    Object value;
    OptimisedBranches next;

    OptimisedBranches(int size, Object value, OptimisedBranches next) {
        this.size = size;
        this.value = value;
        this.next = next;
    }

    boolean isEmpty() { return size == 0; }
    boolean isLarge() { return size > 5 && value != null; }
    boolean isOdd() { return size < 0 ? value == this : (size & 1) == 1; }
    boolean holds(Object o) { return o == value || (o != null && o.equals(value)); }
    /** Not all ways know it. */
    boolean mixed(boolean given) { return isEmpty() ? given : size == 3; }
    int sign() { return size < 2 ? -1 : size > 2 ? 1 : 0; }

    static int simple(OptimisedBranches b) {
        if (b.isEmpty()) return 1;
        if (!b.isLarge()) return 2;
        return 3;
    }

    static int combined(OptimisedBranches b, Object o) {
        int found = 0;
        for (OptimisedBranches each = b; each != null; each = each.next) {
            if (!each.isEmpty() && each.holds(o) || each.isOdd() && !each.isLarge()) found += each.size;
            boolean is = each.sign() > 0 ? each.isLarge() : each.isOdd();
            if (is) found ^= 64;
            if (each.mixed(found > 9) == is) found++;
        }
        return found;
    }

    static int compared(OptimisedBranches b) { return b.sign() <= 0 ? b.sign() == 0 ? 10 : 20 : 30; }

    /** What both ways have is used behind the branch. */
    static int kept(OptimisedBranches b, int n) {
        boolean is = b.size > n;
        int by = is ? n + 1 : n - 1;
        boolean other = !is;
        if (other) by *= 2;
        return is == other ? -1 : by + (is ? 100 : 0);
    }

    static int tested(Object o) {
        if (o instanceof String) return ((String) o).length();
        if (o instanceof Integer && (Integer) o > 3) return (Integer) o;
        if (o instanceof CharSequence) return ((CharSequence) o).charAt(0);
        return o == null ? -1 : o instanceof int[] ? ((int[]) o).length : -2;
    }

    /** The test's value is wanted, too. */
    static int testedTwice(Object o) {
        boolean is = o instanceof Comparable;
        int n = is ? 7 : 9;
        return is ? n + tested(o) : n;
    }

    static int nulls(OptimisedBranches b, int[] a) {
        int sum = 0;
        if (b != null) sum += b.size;
        OptimisedBranches rest;
        if ((rest = b == null ? null : b.next) != null && rest.value != null) sum += rest.value.hashCode() & 7;
        if (a == null) return sum;
        for (int i = 0; i < a.length; i++) sum += a[i];
        return sum;
    }

    /** Null here is null: who leaves the branch by the other way is checked. */
    static String thrown(OptimisedBranches b) {
        try {
            if (b == null) return "" + b.size;
            return "" + b.next.size;
        } catch (NullPointerException e) {
            return "null";
        }
    }

    static String cast(Object o, boolean asks) {
        try {
            if (asks && !(o instanceof String)) return "no string";
            return (String) o;
        } catch (ClassCastException e) {
            return "thrown";
        }
    }

    static int lengthOf(String s) { return s == null ? -1 : s.length(); }

    public static void main(String[] arguments) {
        OptimisedBranches last = new OptimisedBranches(0, null, null), all = last;
        for (int i = 1; i < 9; i++)
            all = new OptimisedBranches(i, i % 3 == 0 ? "" + i : i % 3 == 1 ? (Object) i : null, all);
        Object[] some = {"text", 3, 4, null, new int[2], new StringBuilder("x"), all, 'c'};
        long sum = 0;
        for (int i = 0; i < TIMES; i++) {
            OptimisedBranches b = all;
            for (int skip = i % 9; skip > 0; skip--) b = b.next;
            Object o = some[i % some.length];
            sum = sum * 31 + simple(b) + combined(all, o) + compared(b) + kept(b, i % 7);
            sum += tested(o) + testedTwice(o) + nulls(i % 5 == 0 ? null : b, i % 3 == 0 ? null : new int[] {i, 1});
            sum += thrown(i % 2 == 0 ? null : b).length() + lengthOf(cast(o == all ? "a" : o, i % 4 != 0));
            if (i % (TIMES / 10) == 0) System.out.println(i + ": " + sum);
        }
        System.out.println(sum);
    }
}
