import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** What an agent's Instrumentation can do. args: the directory with class files, the library of Natives. */
public class Program {
    static Instrumentation inst;

    static void attempt(String what, Attempt a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t + (t.getCause() == null ? "" : " of " + t.getCause()));
        }
    }
    interface Attempt { Object run() throws Throwable; }

    static void transformers(Target t) throws Exception {
        System.out.println(t.greet());
        Target.count = 77;
        t.field = 9;
        inst.retransformClasses(Target.class);
        System.out.println(t.greet() + " " + Target.count + " " + t.field);
        Agent.Words world = new Agent.Words("Target", "world", "WORLD");
        inst.addTransformer(world, true);
        System.out.println(t.around(() -> attempt("retransform while it runs", () -> {
                                        inst.retransformClasses(Target.class);
                                        return "done";
                                    })));
        System.out.println(inst.removeTransformer(world) + " " + inst.removeTransformer(world));
        inst.retransformClasses(Target.class);
        System.out.println(t.greet());
    }

    static void redefinition(Target t, Path classes) throws Exception {
        byte[] original = Files.readAllBytes(classes.resolve("Target.class"));
        byte[] changed = new String(original, StandardCharsets.ISO_8859_1)
                             .replace("hello", "hallo")
                             .getBytes(StandardCharsets.ISO_8859_1);
        inst.redefineClasses(new ClassDefinition(Target.class, changed));
        System.out.println(t.greet() + " " + Target.count + " " + t.field);
        // HotSpot 17 goes back to the bytes that the class was loaded from, against the specification
        if (Runtime.version().feature() > 17) {
            inst.retransformClasses(Target.class);
            System.out.println(t.greet());
        }
        inst.redefineClasses(new ClassDefinition(Target.class, original));
        System.out.println(t.greet());
        attempt("bad bytes", () -> {
            inst.redefineClasses(new ClassDefinition(Target.class, new byte[] {1, 2, 3}));
            return 0;
        });
        attempt("other class", () -> {
            inst.redefineClasses(
                new ClassDefinition(Target.class, Files.readAllBytes(classes.resolve("Natives.class"))));
            return 0;
        });
        attempt("int", () -> { inst.retransformClasses(int.class); return 0; });
        attempt("null", () -> { inst.retransformClasses((Class<?>) null); return 0; });
        attempt("nothing", () -> { inst.redefineClasses(); return "fine"; });
        attempt("modifiable",
                ()
                    -> inst.isModifiableClass(int.class) + " " + inst.isModifiableClass(String.class) + " "
                           + inst.isModifiableClass(int[].class));
    }

    static void everything() throws UnmodifiableClassException {
        int n = 0;
        for (Class<?> c : inst.getAllLoadedClasses()) {
            if (!inst.isModifiableClass(c)) continue;
            inst.retransformClasses(c);
            n++;
        }
        System.out.println("retransformed everything: " + (n > 300));
    }

    static void modules() throws Exception {
        Module base = Object.class.getModule(), own = Program.class.getModule();
        System.out.println("exported before: " + base.isExported("jdk.internal.misc", own)
                           + ", open: " + base.isOpen("java.lang", own));
        inst.redefineModule(base, Set.of(own), Map.of("jdk.internal.misc", Set.of(own)),
                            Map.of("java.lang", Set.of(own)), Set.of(Runnable.class), Map.of());
        System.out.println("exported after: " + base.isExported("jdk.internal.misc", own)
                           + ", open: " + base.isOpen("java.lang", own) + ", reads " + base.canRead(own) + ", uses "
                           + base.canUse(Runnable.class));
        Class<?> vm = Class.forName("jdk.internal.misc.VM");
        System.out.println("booted: " + vm.getMethod("isBooted").invoke(null));
        java.lang.reflect.Field f = String.class.getDeclaredField("hash");
        f.setAccessible(true);
        System.out.println(f.getInt("never hashed before"));
        attempt("package that is not there", () -> {
            inst.redefineModule(base, Set.of(), Map.of("no.such", Set.of(own)), Map.of(), Set.of(), Map.of());
            return 0;
        });
        System.out.println(inst.isModifiableModule(base));
    }

    static class Inheriting extends Natives {}

    /** RegisterNatives looks behind the prefixes of a method that is there and not native. */
    static void registering() {
        for (String name :
             new String[] {"value", "wrapped_value", "nowhere", "twice", "swapped", "second", "broken", "plain"}) {
            for (Class<?> c : new Class<?>[] {Natives.class, Inheriting.class}) {
                attempt("register " + c.getName() + "." + name, () -> Natives.register(c, name));
                attempt("then", () -> Natives.class.getDeclaredMethod(name, int.class).invoke(null, 7));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        inst = Agent.inst;
        System.out.println(Agent.how);
        Target t = new Target();
        transformers(t);
        redefinition(t, Path.of(args[0]));
        System.load(args[1]);
        System.out.println("native: " + Natives.value(7));
        registering();
        System.out.println(Class.forName("extra.Boot").getMethod("where").invoke(null));
        System.out.println(Class.forName("extra.Systems").getMethod("where").invoke(null));
        long[] sizes = {inst.getObjectSize(new Object()), inst.getObjectSize(new int[100]),
                        inst.getObjectSize(new int[1000])};
        System.out.println("sizes: " + (sizes[0] >= 8 && sizes[0] <= 16) + " " + (sizes[2] - sizes[1]));
        System.out.println(
            "loaded: "
            + Arrays.asList(inst.getAllLoadedClasses()).containsAll(Set.of(Target.class, String.class, int[].class)));
        System.out.println("initiated: "
                           + Arrays.asList(inst.getInitiatedClasses(Program.class.getClassLoader()))
                                 .containsAll(Set.of(Target.class, Natives.class)));
        modules();
        try {
            throw new IllegalStateException("traced");
        } catch (IllegalStateException e) {
            System.out.println(e.getStackTrace()[0]);
        }
        everything();
        System.gc();
        System.out.println(t.greet() + " " + Target.count);
    }
}
