import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.MessageDigest;
import java.security.ProtectionDomain;

/* A compiled method in which intrinsics stand calls Math.abs once that has other code, which this Java agent gives.
 * What adds several blocks to a digest calls what adds one once that has another constant. */
public class CompiledIntrinsic implements ClassFileTransformer {
    /* iload_0, ifge 8, iload_0, ineg, goto 4, iload_0, ireturn */
    static final byte[] ABS = {0x1a, (byte) 0x9c, 0, 8, 0x1a, 0x74, (byte) 0xa7, 0, 4, 0x1a, (byte) 0xac};
    static final int NEGATION = 5;
    /* CONSTANT_Integer: of the first rounds of SHA-1 */
    static final byte[] CONSTANT = {3, 0x5a, (byte) 0x82, 0x79, (byte) 0x99};
    static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation given) { instrumentation = given; }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> changed, ProtectionDomain domain, byte[] bytes) {
        if ("java/lang/Math".equals(name)) return with(bytes, ABS, NEGATION, 0);
        return "sun/security/provider/SHA".equals(name) ? with(bytes, CONSTANT, 4, 77) : null;
    }
    static byte[] with(byte[] bytes, byte[] at, int index, int value) {
        byte[] other = bytes.clone();
        for (int i = 0; i + at.length <= other.length; i++)
            if (java.util.Arrays.equals(other, i, i + at.length, at, 0, at.length)) other[i + index] = (byte) value;
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

    static String answers() throws Exception {
        MessageDigest d = MessageDigest.getInstance("SHA-1");
        d.update(new byte[100]);
        return many() + " " + d.digest(new byte[1000])[0];
    }

    public static void main(String[] args) throws Exception {
        System.out.println(answers());
        instrumentation.addTransformer(new CompiledIntrinsic(), true);
        instrumentation.retransformClasses(Math.class, Class.forName("sun.security.provider.SHA"));
        System.out.println(answers());
    }
}
