// The template of the small classes that LoadingKernels.java loads.
import java.util.function.IntUnaryOperator;

public class Made0000 implements IntUnaryOperator {
    static final String NAME = "Made0000";
    static int made;
    static final int[] TABLE = { 3, 1, 4, 1, 5, 9, 2, 6 };

    private final int start = TABLE[++made & 7];
    private Made0000 next;

    @Override public int applyAsInt(int x) { return shorter(x) ? start + NAME.length() : sum(x, 3L, 0.5); }
    private boolean shorter(int x) { return x < TABLE.length || next != null && next.shorter(x - 1); }
    private int sum(int x, long y, double z) {
        long sum = 0;
        for (int i = 0; i < TABLE.length; i++) {
            try {
                sum += x > i ? TABLE[i] * y : (long) (z * i);
            } catch (ArithmeticException e) {
                sum--;
            }
        }
        return (int) sum + start;
    }
    @Override public String toString() { return NAME.concat(next == null ? "" : next.toString()); }
}
