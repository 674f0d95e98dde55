// What only the library itself asks of the VM, asked directly: constant pools, VM support, direct memory, class
// definition, counters.
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.TreeSet;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import jdk.internal.perf.Perf;
import jdk.internal.reflect.ConstantPool;
import jdk.internal.vm.VMSupport;

public class LibraryInternals {
    static final int NUMBER = 70_000;
    static int counter;
    static final class Subject extends ClassLoader {
        double field = 2.5;
        Object all(String text) {
            Runnable r = () -> counter += NUMBER;
            r.run();
            return text + field + 3.5f + 5_000_000_000L + "literal" + Subject.class + Arrays.asList(text);
        }
        void sign(Class<?> c, Object... signers) { setSigners(c, signers); }
    }

    interface Look {
        Object at(int i) throws Throwable;
    }
    static String shown(Look look, int i) {
        try {
            Object o = look.at(i);
            return o instanceof Object[] a ? Arrays.toString(a) : String.valueOf(o);
        } catch (Throwable e) {
            return e.getClass().getName();
        }
    }

    /** Each entry by the questions that its kind allows. */
    static void constantPool() {
        ConstantPool pool = SharedSecrets.getJavaLangAccess().getConstantPool(Subject.class);
        TreeSet<String> out = new TreeSet<>();
        for (int i = 1; i < pool.getSize(); i++) {
            ConstantPool.Tag tag = pool.getTagAt(i);
            switch (tag) {
                case UTF8 -> out.add(tag + " " + pool.getUTF8At(i));
                case INTEGER -> out.add(tag + " " + pool.getIntAt(i));
                case LONG -> out.add(tag + " " + pool.getLongAt(i));
                case FLOAT -> out.add(tag + " " + pool.getFloatAt(i));
                case DOUBLE -> out.add(tag + " " + pool.getDoubleAt(i));
                case STRING -> out.add(tag + " " + pool.getStringAt(i));
                case CLASS -> out.add(tag + " " + shown(pool::getClassAt, i)
                    + " " + shown(pool::getClassAtIfLoaded, i));
                case NAMEANDTYPE -> out.add(tag + " " + shown(pool::getNameAndTypeRefInfoAt, i));
                case FIELDREF -> out.add(tag + " " + shown(pool::getFieldAt, i)
                    + " " + shown(pool::getFieldAtIfLoaded, i) + " " + member(pool, i));
                case METHODREF, INTERFACEMETHODREF ->
                    out.add(tag + " " + shown(pool::getMethodAt, i) + " " + shown(pool::getMethodAtIfLoaded, i)
                        + " " + member(pool, i));
                default -> out.add(tag.toString());
            }
        }
        out.forEach(System.out::println);
        System.out.println(shown(pool::getTagAt, pool.getSize()) + " " + shown(pool::getStringAt, 0));
    }
    static String member(ConstantPool pool, int i) {
        return shown(pool::getMemberRefInfoAt, i) + pool.getTagAt(pool.getClassRefIndexAt(i))
            + pool.getTagAt(pool.getNameAndTypeRefIndexAt(i));
    }

    static final class Context extends SecurityManager {
        Class<?>[] get() { return getClassContext(); }
    }

    static Object hidden(Class<?> c, String name, Object receiver, Class<?>[] types, Object... args) throws Throwable {
        try {
            Method m = c.getDeclaredMethod(name, types);
            m.setAccessible(true);
            return m.invoke(receiver, args);
        } catch (NoSuchMethodException e) {
            return "not in this library";
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    /** By the library's own way to define a class, which does not look at what it passes on. */
    static void refusedDefinitions() {
        byte[] bytes = new ClassAssembler(52, "Refused").toBytes();
        Object[][] cases = {{Subject.class, 0, "data"}, {Subject.class, 1, "data"}, {int.class, 0, null},
                            {int.class, 2, "data"}};
        for (Object[] k : cases)
            try {
                System.out.println(SharedSecrets.getJavaLangAccess().defineClass(
                    Subject.class.getClassLoader(), (Class<?>) k[0], "Refused", bytes, null, false, (int) k[1], k[2]));
            } catch (IllegalArgumentException e) {
                System.out.println("refused: " + e.getMessage());
            }
    }

    static void perf() throws Throwable {
        Perf perf = Perf.getPerf();
        System.out.println(perf.highResFrequency() + " " + (perf.highResCounter() > 0));
        byte[] text = {'a', 'b', 0};
        System.out.println(perf.createByteArray("tests.text", 3, 5, text, 10).capacity()
            + " " + perf.createLong("tests.number", 3, 4, 42).order(java.nio.ByteOrder.nativeOrder()).getLong(0));
        try {
            perf.createLong("tests.number", 3, 4, 42);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Method m : Perf.class.getMethods()) {
            if (!m.getName().equals("attach")) continue;
            Object[] given = {-7, "r", "nobody"};
            if (m.getParameterCount() == 3) given = new Object[] {"nobody", -7, "r"};
            try {
                System.out.println(m.invoke(perf, Arrays.copyOf(given, m.getParameterCount())));
            } catch (InvocationTargetException e) {
                System.out.println("attach " + (e.getCause() instanceof Exception));
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        Subject subject = new Subject();
        subject.all("linked, or HotSpot's constant pool has no references yet");
        constantPool();
        System.out.println(VMSupport.getVMTemporaryDirectory());
        System.out.println(VMSupport.getAgentProperties().getProperty("sun.java.command"));
        SharedSecrets.getJavaLangRefAccess()
            .waitForReferenceProcessing(); /* its answer: whether a collection has just found references */
        subject.sign(Subject.class, "one", 2);
        System.out.println(Arrays.toString(Subject.class.getSigners()) + subject.all("text").toString().length()
                           + counter);
        ClassAssembler made =
            new ClassAssembler(52, "Made")
                .method(ClassAssembler.PUBLIC | ClassAssembler.STATIC, "m", "()I", 1, 0, "bipush 11\n ireturn");
        byte[] bytes = made.toBytes();
        Class<?> c = Unsafe.getUnsafe().defineClass("Made", bytes, 0, bytes.length, subject, null);
        System.out.println(c + " " + (c.getClassLoader() == subject) + " " + c.getMethod("m").invoke(null));
        double[] load = new double[3];
        System.out.println(Unsafe.getUnsafe().getLoadAverage(load, 3) + " " + (load[0] >= 0));
        System.out.println(hidden(Class.class, "getClassFileVersion", Subject.class, new Class<?>[ 0 ])
                               instanceof Object);
        for (Class<?> k : new Class<?>[] {int.class, void.class, long[][].class, Subject[].class, String.class})
            System.out.println("class file version: "
                               + hidden(Class.class, "getClassFileVersion", k, new Class<?>[ 0 ]));
        refusedDefinitions();
        System.out.println(Arrays.toString(new Context().get()));
        System.out.println(jdk.internal.platform.Metrics.systemMetrics() == null);
        perf();
    }
}
