import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import javax.management.Descriptor;
import javax.management.MBeanException;
import javax.management.MBeanOperationInfo;
import javax.management.ObjectName;

/** A program to be asked by jcmd, with a class loader, and a hidden class
 *  of its own; with an argument it says what DiagnosticCommandMBean tells instead. */
public class Commanded {
    public interface Shape { }
    public static class Square implements Shape, Comparable<Square> {
        public int compareTo(Square other) { return 0; }
    }
    static class Cube extends Square { }

    static class Loader extends ClassLoader {
        Loader() { super("of mine", Commanded.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            bean();
            return;
        }
        Object kept = new Cube();
        escaped\u00e9\u20ac();
        Supplier<String> hidden = () -> "lambda" + kept;
        byte[] bytes;
        try (var in = Commanded.class.getResourceAsStream("Commanded$Cube.class")) {
            bytes = in.readAllBytes();
        }
        Class<?> again = new Loader().define(bytes);
        ManagementFactory.getPlatformMBeanServer();
        locks();
        System.out.println(hidden.get().startsWith("lambda") && again != Cube.class);
        System.in.read();
    }

    private static final ReentrantLock OF_MAIN = new ReentrantLock();
    private static final ReentrantReadWriteLock OF_WRITER = new ReentrantReadWriteLock();

    /** Two threads own a lock each, for as long as the program runs. */
    private static void locks() throws InterruptedException {
        OF_MAIN.lock();
        var owned = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            OF_WRITER.writeLock().lock();
            owned.countDown();
            while (true) LockSupport.park();
        }, "writer");
        writer.setDaemon(true);
        writer.start();
        owned.await();
    }

    private static void escaped\u00e9\u20ac() {
        System.setProperty("commanded", "escaped\tby\r\ntables\\ \"\u00e9\u20ac\1");
    }

    private static void bean() throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("com.sun.management:type=DiagnosticCommand");
        var info = server.getMBeanInfo(name);
        var sorted = new TreeMap<String, MBeanOperationInfo>();
        for (var operation : info.getOperations()) sorted.put(operation.getName(), operation);
        for (var operation : sorted.values()) {
            System.out.println("operation " + operation.getName() + ": " + operation.getDescription() + ", impact "
                    + operation.getImpact() + ", " + Arrays.toString(operation.getSignature()));
            show(operation.getName(), operation.getDescriptor());
        }
        String[] string = {String[].class.getName()};
        System.out.println(server.invoke(name, "help", new Object[] {new String[] {"GC.run"}}, string));
        System.out.println(server.invoke(name, "gcRun", null, null));
        for (String[] bad : new String[][] {{"-date=x"}, {"y"}, {"-date", "-date"}, {"-date=\"x"}, {"\"a b\""},
                {"-date\nVM.version"}, {"-date\n#"}, {"x\n"}}) {
            try {
                System.out.println(server.invoke(name, "vmUptime", new Object[] {bad}, string));
            } catch (MBeanException e) {
                System.out.println(Arrays.toString(bad) + ": " + e.getCause());
            } catch (RuntimeException e) {
                System.out.println(Arrays.toString(bad) + ": " + e + ", " + e.getCause());
            }
        }
    }

    /** One line for each field, so that what one VM has and the other has not does not hide the rest. */
    private static void show(String operation, Descriptor d) {
        for (String field : d.getFieldNames()) {
            Object value = d.getFieldValue(field);
            if (!(value instanceof Descriptor nested)) {
                System.out.println(operation + " " + field + " = " + value);
                continue;
            }
            for (String argument : nested.getFieldNames())
                if (nested.getFieldValue(argument) instanceof Descriptor one)
                    show(operation + " argument " + argument, one);
        }
    }
}
