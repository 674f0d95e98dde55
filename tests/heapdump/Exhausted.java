// Fills the heap, says how many blocks there were when it was full, and goes on; as often as its argument says.
import java.util.ArrayList;

public class Exhausted {
    static ArrayList<byte[]> blocks = new ArrayList<>(1000);

    static void fill() {
        try {
            for (;;) blocks.add(new byte[200_000]);
        } catch (OutOfMemoryError e) {
            int n = blocks.size();
            blocks.clear();
            System.out.println("caught " + e.getMessage() + " with " + n + " blocks");
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) fill();
    }
}
