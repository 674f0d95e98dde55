// Kernels of `make bench` about loading classes, which is much of a program's start-up; see Kernels.java. The classes
// are copies of two compiled templates under other names of the same length; kernels.py puts some into made.jar on the
// class path. About a second each on HotSpot's interpreter.
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

class LoadingKernels {
    private static final class Loader extends ClassLoader {
        Loader() { super(LoadingKernels.class.getClassLoader()); }
        IntUnaryOperator make(String name, byte[] bytes) throws ReflectiveOperationException {
            Class<?> c = defineClass(name, bytes, 0, bytes.length);
            return (IntUnaryOperator) c.getDeclaredConstructor().newInstance();
        }
    }

    static String name(String template, int number) {
        String digits = Integer.toString(number);
        return template.substring(0, template.length() - digits.length()) + digits;
    }
    /** A copy of the template's class file in which the class has the other name. */
    static byte[] renamed(byte[] template, String name, String other) {
        byte[] copy = template.clone(), from = name.getBytes(StandardCharsets.US_ASCII),
               to = other.getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at + from.length <= copy.length; at++)
            if (Arrays.equals(copy, at, at + from.length, from, 0, from.length))
                System.arraycopy(to, 0, copy, at, to.length);
        return copy;
    }
    static byte[] classFile(String name) throws IOException {
        try (InputStream in = LoadingKernels.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }
    private static long make(String template, int count) throws Exception {
        byte[] bytes = classFile(template);
        Loader loader = null;
        long sum = 0;
        for (int i = 1; i <= count; i++) {
            if (i % 100 == 1) loader = new Loader();
            String name = name(template, i);
            sum += loader.make(name, renamed(bytes, template, name)).applyAsInt(i);
        }
        return sum;
    }
    /** Classes defined by loaders of the program, 100 each. */
    public static long classLoaders() throws Exception { return make("Made0000", 4000); }
    /** Classes with a lambda, a method reference and a concatenation to link. */
    public static long lambdaLinkage() throws Exception { return make("Link0000", 600); }
    /** Classes of a jar on the class path. */
    public static long classesOfJar() throws Exception {
        long sum = 0;
        for (int i = 1; i <= 3000; i++) {
            Class<?> c = Class.forName(name("Made0000", i));
            sum += ((IntUnaryOperator) c.getDeclaredConstructor().newInstance()).applyAsInt(i);
        }
        return sum;
    }
}
