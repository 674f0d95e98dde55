/** The instructions that move values about on the operand stack, wherever their kinds allow. */
final class Shuffles {
    private static final String[] OPS = {"dup", "dup_x1", "dup_x2", "dup2", "dup2_x1", "dup2_x2", "swap", "pop",
                                         "pop2"};

    private final Body b;

    Shuffles(Body b) {
        this.b = b;
    }

    /** One that is possible here. True if there was one. */
    boolean any() {
        String op = b.oneOf(OPS);
        int[] moved = moved(op);
        if (moved == null) return false;
        int taken = moved[0] + moved[1];
        String[] top = new String[taken];
        for (int i = 0; i < taken; i++) top[i] = b.frame.top(taken - 1 - i);
        b.emit(op, taken, after(op, top, moved[0]));
        return true;
    }

    /** How many values the instruction moves, and how many it moves them below; null if it cannot stand here. */
    private int[] moved(String op) {
        switch (op) {
        case "dup": case "pop": return ones(0, 1) ? new int[] {1, 0} : null;
        case "dup_x1": case "swap": return ones(0, 2) ? new int[] {1, 1} : null;
        case "dup_x2": return ones(0, 1) ? below(1) : null;
        case "dup2": case "pop2": return pair(0);
        case "dup2_x1": {
            int[] moved = pair(0);
            return moved != null && ones(moved[0], 1) ? new int[] {moved[0], 1} : null;
        }
        default: {
            int[] moved = pair(0);
            return moved == null ? null : below(moved[0]);
        }
        }
    }

    private int[] below(int first) {
        int[] below = pair(first);
        return below == null ? null : new int[] {first, below[0]};
    }

    /** Two slots as one value or two, null if neither. */
    private int[] pair(int from) {
        if (b.frame.stack.size() > from && Types.wide(b.frame.top(from))) return new int[] {1, 0};
        return ones(from, 2) ? new int[] {2, 0} : null;
    }

    private boolean ones(int from, int count) {
        if (b.frame.stack.size() < from + count) return false;
        for (int i = from; i < from + count; i++) if (Types.wide(b.frame.top(i))) return false;
        return true;
    }

    private static String[] after(String op, String[] top, int moved) {
        if (op.startsWith("pop")) return new String[0];
        if (op.equals("swap")) return new String[] {top[1], top[0]};
        String[] after = new String[top.length + moved];
        System.arraycopy(top, top.length - moved, after, 0, moved);
        System.arraycopy(top, 0, after, moved, top.length);
        return after;
    }
}
