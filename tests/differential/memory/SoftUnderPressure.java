// Soft references live while there is room and are cleared before an OutOfMemoryError.
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

public class SoftUnderPressure {
    public static void main(String[] args) {
        List<SoftReference<byte[]>> soft = new ArrayList<>();
        for (int i = 0; i < 8; i++) soft.add(new SoftReference<>(new byte[1 << 20]));
        byte[] held = soft.get(0).get();
        System.out.println(held != null);
        List<byte[]> fill = new ArrayList<>();
        try {
            for (;;) fill.add(new byte[1 << 20]);
        } catch (OutOfMemoryError e) {
            fill = null;
        }
        int cleared = 0;
        for (SoftReference<byte[]> s : soft) if (s.get() == null) cleared++;
        System.out.println(cleared + " " + (held == null || soft.get(0).get() == held));
    }
}
