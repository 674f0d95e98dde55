import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/**
 * Redefines and retransforms classes through tests/agents/redefine.c; args[0] holds a directory of class files for
 * each variant.
 */
public class Redefine {
    static native String redefine(Class<?>[] classes, byte[][] files);
    static native String retransform(Class<?>[] classes);
    /** What the hook makes of the next class that is retransformed; null: it leaves it alone. */
    static native void substitute(byte[] file);
    static native boolean modifiable(Class<?> c);
    static native void describe(Class<?> c, String name, String desc);
    static native void stopAtEnd(Class<?> c, String name, String descriptor, boolean on);
    static native void frames(Class<?> c);
    static native void chain(boolean on);

    static Path root;

    static byte[] file(String variant, String name) throws Exception {
        return Files.readAllBytes(root.resolve(variant).resolve(name + ".class"));
    }

    static String one(Class<?> c, byte[] bytes) { return redefine(new Class<?>[] {c}, new byte[][] {bytes}); }

    /** The same change by redefinition and by retransformation. */
    static void both(String what, Class<?> c, byte[] bytes) {
        System.out.println(what + ": " + one(c, bytes));
        substitute(bytes);
        System.out.println("retransformed, " + what + ": " + retransform(new Class<?>[] {c}));
        substitute(null);
    }

    /** A method that the VM may compute by itself: once it has other code, that code runs. */
    static void library() throws Exception {
        byte[] bytes = Integer.class.getResourceAsStream("Integer.class").readAllBytes(), other = bytes.clone();
        for (int i = 0; i + 5 < other.length; i++)      // the mask of bitCount's first step, in the constant pool
            if (other[i] == 3 && other[i + 1] == 0x55 && other[i + 2] == 0x55 && other[i + 3] == 0x55
                && other[i + 4] == 0x55)
                other[i + 4] = 0x54;
        System.out.println("bits " + Integer.bitCount(2));
        System.out.println("library, same: " + one(Integer.class, bytes) + " " + Integer.bitCount(2));
        System.out.println("library, changed: " + one(Integer.class, other) + " " + Integer.bitCount(2));
        System.out.println("library, retransformed: " + retransform(new Class<?>[] {Integer.class}) + " "
                           + Integer.bitCount(2));
        System.out.println("library, back: " + one(Integer.class, bytes) + " " + Integer.bitCount(2));
    }

    static void errors() throws Exception {
        String[] variants = {"method_added",
                             "private_method_added",
                             "method_deleted",
                             "method_modifiers",
                             "field_added",
                             "field_removed",
                             "field_renamed",
                             "field_modifiers",
                             "class_modifiers",
                             "superclass",
                             "interface_removed",
                             "interface_added",
                             "nest"};
        for (String v : variants) both(v, Shape.class, file(v, "Shape"));
        System.out.println("native: " + one(Shape.class, file("native", "Shape")));
        try {
            System.out.println(Shape.twice(3));
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        System.out.println("not native: " + one(Shape.class, file("base", "Shape")) + " " + Shape.twice(3));
        both("record", Point.class, file("record", "Point"));
        both("sealed", Sealed.class, file("sealed", "Sealed"));
        System.out.println("order: " + one(Ordered.class, file("order", "Ordered")) + " "
                           + one(Nest.class, file("order", "Nest")) + " "
                           + Set.of(Ordered.class.getPermittedSubclasses()).equals(Set.of(First.class, Second.class))
                           + Set.of(Nest.class.getNestMembers())
                                 .equals(Set.of(Nest.class, Nest.A.class, Nest.B.class)));
        both("name", Shape.class, file("base", "Sealed"));
        byte[] version = file("body", "Shape"), magic = version.clone(),
               cut = Arrays.copyOf(version, version.length / 2);
        version[7] = (byte) 200;
        magic[0] = 0;
        both("version", Shape.class, version);
        both("magic", Shape.class, magic);
        both("cut", Shape.class, cut);
        System.out.println("empty: " + one(Shape.class, new byte[0]));
        System.out.println("no bytes: " + one(Shape.class, null));
        System.out.println("no class: " + one(null, file("body", "Shape")));
        System.out.println("negative: " + redefine(null, null));
        System.out.println("int: " + one(int.class, file("body", "Shape")));
        System.out.println("array: " + one(Shape[].class, file("body", "Shape")));
        both("verification", Shape.class, unverifiable(file("body", "Shape")));
        System.out.println("all or nothing: "
                           + redefine(new Class<?>[] {Shape.class, Point.class},
                                      new byte[][] {file("body", "Shape"), file("record", "Point")}));
        System.out.println("retransform int: " + retransform(new Class<?>[] {int.class})
                           + ", null: " + retransform(new Class<?>[] {null})
                           + ", array: " + retransform(new Class<?>[] {String.class, Shape[].class})
                           + ", none: " + retransform(new Class<?>[ 0 ]));
        Class<?> failing = Class.forName("Failing", false, Redefine.class.getClassLoader());
        try {
            Class.forName("Failing");
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getCause().getMessage());
        }
        System.out.println("failed initialisation: " + one(failing, file("base", "Failing")));
        Shape s = new Shape();
        System.out.println("unchanged: " + s.describe() + " " + Shape.twice(4) + " " + s.secret());
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(file("base", "Hidden"), false).lookupClass();
        System.out.println("hidden: " + one(hidden, file("base", "Hidden")));
        for (Class<?> c : new Class<?>[] {int.class, int[].class, String.class, Object.class, Shape.class,
                                          Runnable.class, Shape[].class, Class.class, hidden})
            System.out.println("modifiable " + (c == hidden ? "hidden" : c.getName()) + ": " + modifiable(c));
    }

    /** "iload_0; iconst_2; imul; ireturn" of twice() with areturn at its end. */
    static byte[] unverifiable(byte[] b) {
        for (int i = 0; i + 3 < b.length; i++)
            if (b[i] == 0x1a && b[i + 1] == 0x06 && b[i + 2] == 0x68 && (b[i + 3] & 0xff) == 0xac) {
                b[i + 3] = (byte) 0xb0;
                return b;
            }
        throw new AssertionError("no twice()");
    }

    static void bodies() throws Throwable {
        Shape s = new Shape();
        MethodHandle handle =
            MethodHandles.lookup().findVirtual(Shape.class, "describe", MethodType.methodType(String.class));
        java.lang.reflect.Method method = Shape.class.getDeclaredMethod("describe");
        Runnable lambda = () -> System.out.println("lambda: " + s.describe());
        Comparable<Object> comparable = s;
        Shape.counter = 77;
        s.x = 5;
        for (int i = 0; i < 3; i++) lambda.run();
        describe(Shape.class, "describe", "()Ljava/lang/String;");
        System.out.println(s.nested(() -> {
            frames(Shape.class);
            System.out.println("bodies: " + safely("body"));
            frames(Shape.class);
            System.out.println("within: " + s.describe() + " " + s.unchanged());
        }));
        describe(Shape.class, "describe", "()Ljava/lang/String;");
        describe(Shape.class, "unchanged", "()I");
        lambda.run();
        System.out.println("handle " + (String) handle.invoke(s) + ", reflection " + method.invoke(s) + ", interface "
                           + comparable.compareTo("x"));
        System.out.println("annotation " + Shape.class.getDeclaredMethod("describe").getAnnotation(Deprecated.class));
        System.out.println("statics " + Shape.counter + " fields " + s.x + " " + s.name + " " + Shape.twice(4) + " "
                           + s.secret() + " " + s.summary());
        System.out.println(s.nested(() -> System.out.println("in the new one")));
        try {
            s.fail();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " at line " + e.getStackTrace()[0].getLineNumber());
        }
        IllegalStateException old = null;
        try {
            s.fail();
        } catch (IllegalStateException e) {
            old = e;
        }
        System.out.println("again: " + safely("body2") + " " + s.describe() + " " + s.nested(() -> { }));
        for (int i = 0; i < 40; i++)
            if (!one(Shape.class, file(i % 2 == 0 ? "body" : "base", "Shape")).equals("NONE"))
                System.out.println("FAILED");
        System.out.println("back: " + s.describe() + " " + Shape.counter + " " + s.summary() + " " + Shape.twice(4));
        System.gc();
        System.out.println(new Shape().describe());
        // The running frame is the old version's, which is the same code.
        int steady = s.steady(() -> {
            System.out.println("while it runs: " + safely("body"));
            stopAtEnd(Shape.class, "steady", "(Ljava/lang/Runnable;)I", true);
        });
        System.out.println("steady " + steady + ", then " + s.steady(() -> { }));
        stopAtEnd(Shape.class, "steady", "(Ljava/lang/Runnable;)I", false);
        System.out.println("without: " + s.steady(() -> { }));
        steady = s.steady(() -> {
            stopAtEnd(Shape.class, "steady", "(Ljava/lang/Runnable;)I", true);
            System.out.println("afterwards: " + safely("body2"));
        });
        System.out.println("steady " + steady);
    }

    static String safely(String variant) {
        try {
            return one(Shape.class, file(variant, "Shape"));
        } catch (Exception e) {
            return e.toString();
        }
    }

    static void chains() throws Exception {
        chain(true);
        System.out.println(ChainAll.order() + " " + ChainUntouched.order() + " " + ChainCapable.order());
        System.out.println("retransform: "
                           + retransform(new Class<?>[] {ChainAll.class, ChainUntouched.class, ChainCapable.class}));
        System.out.println(ChainAll.order() + " " + ChainUntouched.order() + " " + ChainCapable.order());
        System.out.println("redefine: " + one(ChainAll.class, file("base", "ChainAll")) + " " + ChainAll.order());
        System.out.println("retransform: " + retransform(new Class<?>[] {ChainAll.class}) + " " + ChainAll.order());
        Module logging = java.util.logging.Level.class.getModule(),
               unnamed = ClassLoader.getSystemClassLoader().getUnnamedModule();
        System.out.println("reads before: " + logging.canRead(unnamed) + ", "
                           + retransform(new Class<?>[] {java.util.logging.Level.class})
                           + ", after: " + logging.canRead(unnamed));
        chain(false);
        System.out.println("without hooks: " + retransform(new Class<?>[] {ChainAll.class}) + " " + ChainAll.order());
    }

    public static void main(String[] args) throws Throwable {
        root = Path.of(args[0]);
        System.out.println(new Shape().describe());
        library();
        errors();
        bodies();
        chains();
    }
}
