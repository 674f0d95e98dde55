import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/* A compiled method in which intrinsics stand calls Math.abs once that has other code, which this Java agent gives. */
public class CompiledIntrinsic implements ClassFileTransformer {
    /* iload_0, ifge 8, iload_0, ineg, goto 4, iload_0, ireturn */
    static final byte[] ABS = {0x1a, (byte) 0x9c, 0, 8, 0x1a, 0x74, (byte) 0xa7, 0, 4, 0x1a, (byte) 0xac};
    static final int NEGATION = 5;
    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) { instrumentation = given; }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> changed, ProtectionDomain domain, byte[] bytes) {
        if (!"java/lang/Math".equals(name)) return null;
        byte[] other = bytes.clone();
        for (int i = 0; i + ABS.length <= other.length; i++)
            if (java.util.Arrays.equals(other, i, i + ABS.length, ABS, 0, ABS.length)) other[i + NEGATION] = 0;
        return other;
    }

    static int work(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += Math.abs(i - n / 2) + Math.max(i, 3);
        return sum;
    }

    static long many() {
        long sum = 0;
        for (int i = 0; i < 3000; i++) sum += work(100);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(many());
        instrumentation.addTransformer(new CompiledIntrinsic(), true);
        instrumentation.retransformClasses(Math.class);
        System.out.println(many());
    }
}
