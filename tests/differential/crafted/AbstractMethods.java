// Calls that select an abstract method, or none: which method and which class AbstractMethodError names, at the first
// call of a place, at later ones, from compiled code, by reflection and by method handles. JVMS 5.4.6, 6.5.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

public class AbstractMethods {
    static final int V = 55, PU = Crafted.PUBLIC, AB = Crafted.ABSTRACT, CALLS = 60;
    static final String LEAF = "p/Leaf",
                        DESC = "(ILjava/lang/String;)Ljava/lang/Object;";

    /** What the interfaces I and J (which extends I), the abstract classes A and B (an A), and Leaf declare. */
    interface Shape {
        void declare(ClassAssembler i, ClassAssembler j, ClassAssembler a, ClassAssembler b,
            ClassAssembler leaf);
    }
    static final Map<String, Shape> SHAPES = new LinkedHashMap<>();

    static void missing(ClassAssembler c) { c.method(PU | AB, "m", DESC); }
    static void present(ClassAssembler c) { c.method(PU, "m", DESC, 1, 3, "aload_2\n areturn"); }

    static {
        SHAPES.put("interface", (i, j, a, b, leaf) -> missing(i));
        SHAPES.put("both interfaces", (i, j, a, b, leaf) -> {
            missing(i);
            missing(j);
        });
        SHAPES.put("default, abstract again", (i, j, a, b, leaf) -> {
            present(i);
            missing(j);
        });
        SHAPES.put("interface with another default", (i, j, a, b, leaf) -> {
            missing(i);
            i.method(PU, "other", DESC, 1, 3, "aload_2\n areturn");
        });
        SHAPES.put("default, abstract again, and abstract class", (i, j, a, b, leaf) -> {
            present(i);
            missing(j);
            missing(a);
        });
        SHAPES.put("itself", (i, j, a, b, leaf) -> missing(leaf));
        SHAPES.put("interface and itself", (i, j, a, b, leaf) -> {
            missing(i);
            missing(leaf);
        });
        SHAPES.put("class", (i, j, a, b, leaf) -> missing(a));
        SHAPES.put("both classes", (i, j, a, b, leaf) -> {
            missing(a);
            missing(b);
        });
        SHAPES.put("method, abstract again", (i, j, a, b, leaf) -> {
            present(a);
            missing(b);
        });
        SHAPES.put("interface and class", (i, j, a, b, leaf) -> {
            missing(i);
            missing(a);
        });
        SHAPES.put("interface and subclass", (i, j, a, b, leaf) -> {
            missing(i);
            missing(b);
        });
        SHAPES.put("default and class", (i, j, a, b, leaf) -> {
            present(i);
            missing(a);
        });
        SHAPES.put("default and subclass", (i, j, a, b, leaf) -> {
            present(i);
            missing(b);
        });
        SHAPES.put("everywhere", (i, j, a, b, leaf) -> {
            missing(i);
            missing(j);
            missing(a);
            missing(b);
        });
    }

    static String text(Object outcome) {
        return outcome instanceof Throwable t ? Crafted.text(t) : String.valueOf(outcome);
    }

    /** The outcomes of many calls from one place, in the order in which they first came. */
    static String calls(Class<?> caller, String name, Object receiver) {
        Map<String, Boolean> outcomes = new LinkedHashMap<>();
        try {
            Method call = caller.getMethod(name, Object.class, int.class);
            for (int i = 0; i < 3; i++)
                outcomes.put(text(call.invoke(null, receiver, i < 2 ? 1 : CALLS)), true);
        } catch (ReflectiveOperationException e) {
            outcomes.put("failed " + Crafted.text(e), true);
        }
        return String.join(" | ", outcomes.keySet());
    }

    /** Adds a method that calls `owner`.m `times` times with the same receiver, and returns what the last one threw. */
    static void caller(ClassAssembler c, String name, String op, String owner) {
        c.method(PU | Crafted.STATIC, name, "(Ljava/lang/Object;I)Ljava/lang/Object;", 4, 3,
            String.join("\n", "aconst_null", "astore_2", "loop:", ".frame append java/lang/Object", "iload_1",
                "ifle done", "iinc 1 -1", "from:", "aload_0", "checkcast " + owner, "iconst_1", "ldc \"text\"",
                op + " " + owner + ".m " + DESC, "astore_2", "to:", "goto loop", "handler:",
                ".frame full java/lang/Object int java/lang/Object | java/lang/Throwable", "astore_2", "goto loop",
                "done:", ".frame same", "aload_2", "areturn", ".catch java/lang/Throwable from to handler"));
    }

    static String reflected(Class<?> owner, Object receiver) {
        Map<String, Boolean> outcomes = new LinkedHashMap<>();
        Method m;
        try {
            m = owner.getMethod("m", int.class, String.class);
        } catch (NoSuchMethodException e) {
            return "no such method";
        }
        for (int i = 0; i < 20; i++) {      // 17 makes bytecode of it after 15 calls
            String now;
            try {
                now = text(m.invoke(receiver, 1, "text"));
            } catch (InvocationTargetException e) {
                now = Crafted.text(e.getCause());
            } catch (ReflectiveOperationException e) {
                now = "failed " + Crafted.text(e);
            }
            outcomes.put(now, true);
        }
        return m.getDeclaringClass().getName() + ".m: " + String.join(" | ", outcomes.keySet());
    }

    static String handled(Class<?> owner, Object receiver) {
        MethodType type = MethodType.methodType(Object.class, int.class, String.class);
        Map<String, Boolean> outcomes = new LinkedHashMap<>();
        try {
            MethodHandle m = MethodHandles.publicLookup().findVirtual(owner, "m", type).asType(
                type.insertParameterTypes(0, Object.class));
            for (int i = 0; i < CALLS; i++) outcomes.put(invoked(m, receiver), true);
        } catch (ReflectiveOperationException | LinkageError e) {
            outcomes.put("failed " + Crafted.text(e), true);
        }
        return String.join(" | ", outcomes.keySet());
    }
    static String invoked(MethodHandle m, Object receiver) {
        try {
            return text((Object) m.invokeExact(receiver, 1, "text"));
        } catch (Throwable t) {
            return Crafted.text(t);
        }
    }

    static void shape(String shape, String leafParent) throws Exception {
        ClassAssembler i = Crafted.iface(V, "I"), j = Crafted.iface(V, "J", "I"),
                       a = Crafted.type(V, PU | Crafted.SUPER | AB, "A", "java/lang/Object").constructor(
                           "java/lang/Object"),
                       b = Crafted.type(V, PU | Crafted.SUPER | AB, "B", "A", "J").constructor("A"),
                       leaf = leafParent.equals("B") ? Crafted.plain(V, LEAF, "B")
                                                     : Crafted.plain(V, LEAF, leafParent, "J"),
                       under = Crafted.plain(V, "Under", LEAF), caller = Crafted.plain(V, "Caller");
        SHAPES.get(shape).declare(i, j, a, b, leaf);
        String[] owners = {"I", "J", "A", "B", LEAF};
        for (String owner : owners)
            caller(caller, "on" + owner.replace('/', '_'),
                owner.equals("I") || owner.equals("J") ? "invokeinterface" : "invokevirtual",
                owner);
        Crafted.Loader loader = new Crafted.Loader("one").define(i, j, a, b, leaf, under, caller);
        for (String of : new String[] {LEAF, "Under"}) {
            Object receiver = loader.loadClass(of.replace('/', '.')).getConstructor().newInstance();
            for (String owner : owners) {
                Class<?> c = loader.loadClass(owner.replace('/', '.'));
                if (!c.isInstance(receiver)) continue;
                String name = shape + "/" + leafParent + "/" + owner + "/" + of;
                Crafted.say(name, calls(loader.loadClass("Caller"), "on" + owner.replace('/', '_'), receiver));
                Crafted.say(name + " by reflection", reflected(c, receiver));
                Crafted.say(name + " by handle", handled(c, receiver));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Crafted.section("5.4.6");
        for (String shape : SHAPES.keySet())
            for (String parent : new String[] {"B", "A", "java/lang/Object"}) shape(shape, parent);
        Crafted.end();
    }
}
