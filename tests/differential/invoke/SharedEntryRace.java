// An invokespecial and an invokevirtual that share a Methodref and select different methods, resolved by two threads at
// the same time.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;

public class SharedEntryRace {
    static final int METHODS = 100, CLASSES = 250, P = ClassAssembler.PUBLIC,
                     S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    static ClassAssembler declaring(String name, String parent) {
        ClassAssembler a = new ClassAssembler(49, P | ClassAssembler.SUPER, name, parent).constructor(parent);
        for (int i = 0; i < METHODS; i++)
            a.method(P, "m" + i, "()Ljava/lang/String;", 1, 1, "ldc \"" + name + "\"\n areturn");
        return a;
    }
    /** Fills an array with what the calls of all methods answer: by the same Methodrefs, of the top class. */
    static void calls(ClassAssembler a, String name, String instruction) {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < METHODS; i++)
            code.append("aload_1\n sipush " + i + "\n aload_0\n " + instruction + " Top.m" + i
                        + " ()Ljava/lang/String;\n aastore\n");
        a.method(P, name, "([Ljava/lang/String;)V", 3, 2, code + "return");
    }

    public static void main(String[] args) throws Throwable {
        ClassLoader parent =
            new ClassAssembler.Loader(SharedEntryRace.class.getClassLoader(), declaring("Top", "java/lang/Object"),
                                      declaring("Middle", "Top"));
        ClassAssembler low = declaring("Low", "Middle");
        calls(low, "specials", "invokespecial");
        calls(low, "virtuals", "invokevirtual");
        byte[] bytes = low.toBytes();
        String[][] answers = new String[2][METHODS];
        int[] wrong = new int[2];
        AtomicInteger arrived = new AtomicInteger();
        for (int n = 0; n < CLASSES; n++) {
            Class<?> c = new ClassAssembler.Loader(parent).add("Low", bytes).loadClass("Low");
            Object o = c.getConstructor().newInstance();
            Thread[] threads = new Thread[2];
            arrived.set(0);
            for (int t = 0; t < 2; t++) {
                int which = t;
                MethodHandle calls = MethodHandles.publicLookup()
                                         .findVirtual(c, which == 0 ? "specials" : "virtuals",
                                                      MethodType.methodType(void.class, String[].class))
                                         .bindTo(o);
                threads[t] = new Thread(() -> {
                    try {
                        for (int round = 1; round <= 2; round++) { /* the second finds what the first has left */
                            arrived.incrementAndGet();
                            while (arrived.get() < 2 * round) Thread.onSpinWait();
                            calls.invokeExact(answers[which]);
                            for (String s : answers[which])
                                wrong[which] += s.equals(which == 0 ? "Middle" : "Low") ? 0 : 1;
                        }
                    } catch (Throwable e) {
                        System.out.println(e);
                    }
                });
                threads[t].start();
            }
            for (Thread t : threads) t.join();
        }
        System.out.println("by invokespecial: " + wrong[0] + " wrong, by invokevirtual: " + wrong[1] + " wrong");
    }
}
