import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.TreeMap;

// Method handles of interface methods in code that is compiled, with receivers whose classes have no such method, more
// than one, or one that nobody may call; and the method of Object that an interface has. Which
// IncompatibleClassChangeError it is, HotSpot does not say every time in the same way. JVMS 6.5.invokeinterface.
public class CompiledInterfaceHandles {
    static final int V = 55, PU = Crafted.PUBLIC;
    static final String[] RECEIVERS = {"Good", "Inherits", "None", "Hidden", "Two", "Stranger"};

    static ClassAssembler of(String name, String value, int access, String... above) {
        return Crafted.plain(V, name, "java/lang/Object", above).method(access, "m", "(I)I", 2, 2, body(value));
    }
    static String body(String value) { return "iload_1\n ldc " + value + "\n iadd\n ireturn"; }

    static Crafted.Loader classes() {
        return new Crafted.Loader("one").define(
            Crafted.iface(V, "Face").method(PU | Crafted.ABSTRACT, "m", "(I)I"),
            Crafted.iface(V, "Left", "Face").method(PU, "m", "(I)I", 2, 2, body("1")),
            Crafted.iface(V, "Right", "Face").method(PU, "m", "(I)I", 2, 2, body("2")),
            of("Good", "10", PU, "Face"), Crafted.plain(V, "Inherits", "java/lang/Object", "Left"),
            Crafted.plain(V, "None", "java/lang/Object", "Face"), of("Hidden", "20", Crafted.PRIVATE, "Face"),
            Crafted.plain(V, "Two", "java/lang/Object", "Left", "Right"), of("Stranger", "30", PU));
    }

    static String call(MethodHandle m, Object receiver, int i) {
        try {
            return "value " + ((int) m.invokeExact(receiver, i) - i);
        } catch (Throwable t) {
            return t instanceof IncompatibleClassChangeError ? "incompatible" : t.getClass().getName();
        }
    }

    public static void main(String[] args) throws Exception {
        Crafted.Loader loader = classes();
        Class<?> face = loader.loadClass("Face");
        MethodType ofObject = MethodType.methodType(int.class, Object.class, int.class);
        MethodHandle m = MethodHandles.publicLookup()
                             .findVirtual(face, "m", MethodType.methodType(int.class, int.class)).asType(ofObject);
        MethodHandle hash = MethodHandles.publicLookup()
                                .findVirtual(face, "hashCode", MethodType.methodType(int.class));
        Object[] receivers = new Object[RECEIVERS.length + 1];
        for (int i = 0; i < RECEIVERS.length; i++)
            receivers[i] = loader.loadClass(RECEIVERS[i]).getConstructor().newInstance();
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < 21_000; i++) {
            int which = i % receivers.length;
            String name = which < RECEIVERS.length ? RECEIVERS[which] : "null";
            outcomes.merge(name + ": " + call(m, receivers[which], i), 1, Integer::sum);
        }
        outcomes.forEach((outcome, times) -> System.out.println(outcome + ", " + times + " times"));
        MethodHandle general = hash.asType(MethodType.methodType(int.class, Object.class));
        int same = 0;
        for (int i = 0; i < 3000; i++) same += callHash(general, receivers[0]) == receivers[0].hashCode() ? 1 : 0;
        System.out.println("the same hash code: " + same);
    }

    static int callHash(MethodHandle hash, Object receiver) {
        try {
            return (int) hash.invokeExact(receiver);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
