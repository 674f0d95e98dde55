// Lambda factories that are made, used and dropped: `java LambdaFactories ROUNDS` makes 1,000 in each round and prints
// what is left then: bytes of live objects, of class metadata, and of resident memory.
import java.io.IOException;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;
public class LambdaFactories {
    static int next(int x) { return x + 1; }

    static void make() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType shape = MethodType.methodType(int.class, int.class);
        MethodHandle factory = LambdaMetafactory.metafactory(lookup, "applyAsInt",
                MethodType.methodType(IntUnaryOperator.class), shape,
                lookup.findStatic(LambdaFactories.class, "next", shape), shape).getTarget();
        IntUnaryOperator f = (IntUnaryOperator) factory.invoke();
        if (f.applyAsInt(1) != 2) throw new AssertionError("next");
    }

    static long live() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    static long metadata() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) return pool.getUsage().getUsed();
        }
        throw new IllegalStateException("no pool of class metadata");
    }

    static long resident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
        throw new IllegalStateException("no VmRSS");
    }

    public static void main(String[] args) throws Throwable {
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            for (int i = 0; i < 1000; i++) make();
            System.out.println(live() + " " + metadata() + " " + resident());
        }
    }
}
