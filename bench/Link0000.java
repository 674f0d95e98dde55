// The template of the classes with call sites to link that LoadingKernels.java loads.
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Link0000 implements IntUnaryOperator {
    @Override public int applyAsInt(int x) {
        IntUnaryOperator add = y -> x + y;
        Supplier<String> text = this::toString;
        return add.applyAsInt(text.get().length()) + ("<" + x + "|" + text.get() + ">").length();
    }
    @Override public String toString() { return "linked"; }
}
