import java.util.ArrayList;
import java.util.List;

/** Fills the heap, and goes on when it is full. */
public class Fill {
    static List<Object> kept = new ArrayList<>();

    public static void main(String[] arguments) {
        try {
            while (true) kept.add(new long[10000]);
        } catch (OutOfMemoryError e) {
            kept = null;
            System.out.println("caught " + e.getMessage());
        }
        System.out.println("alive " + new int[100000].length);
    }
}
