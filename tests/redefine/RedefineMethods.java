import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Methods come and go by redefinition, through tests/agents/redefine_methods.c; args[0] holds a directory of class
 * files for each variant of Target (tests/command/redefine_methods.py).
 */
public class RedefineMethods {
    static native String redefine(Class<?>[] classes, byte[][] files);
    static native String retransform(Class<?>[] classes, byte[][] files);
    static native void methods(Class<?> c);
    static native void remember(int i, Class<?> c, String name, String desc, boolean isStatic);
    static native boolean same(int i, Class<?> c, String name, String desc, boolean isStatic);
    static native void describe(int i);
    static native int call(int i, Class<?> c, int n);
    static native void frames(Class<?> c);
    static native void watch(Class<?> c);
    static native String setBreakpoint(int i);
    static native String clearBreakpoint(int i);
    static native boolean walk();

    interface Action {
        Object act() throws Throwable;
    }

    /** A constant that compiled code may build in. */
    static class Bound {
        static final MethodHandle GONE;

        static {
            try {
                GONE = MethodHandles.privateLookupIn(Target.class, MethodHandles.lookup())
                           .findStatic(Target.class, "gone", MethodType.methodType(int.class, int.class));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        static int sum(int n) throws Throwable {
            int sum = 0;
            for (int i = 0; i < n; i++) sum += (int) GONE.invokeExact(i);
            return sum;
        }
    }

    static Path root;

    static byte[] file(String variant, String name) throws Exception {
        return Files.readAllBytes(root.resolve(variant).resolve(name + ".class"));
    }

    static String to(String variant) {
        try {
            return redefine(new Class<?>[] {Target.class}, new byte[][] {file(variant, "Target")});
        } catch (Exception e) {
            return e.toString();
        }
    }

    /** What a call answers or throws, and where that begins, unless it is a failed resolution. */
    static void tell(String what, Action action) {
        String text;
        try {
            text = String.valueOf(action.act());
        } catch (Throwable e) {
            Throwable t = e instanceof InvocationTargetException ? e.getCause() : e;
            StackTraceElement[] trace = t.getStackTrace();
            boolean unresolved = t instanceof NoSuchMethodError && t.getMessage() != null;    // thrown again and again
            text = (t == e ? "" : "wrapped ") + t + (unresolved ? "" : " in " + trace[0].getMethodName());
        }
        System.out.println(what + ": " + text.replaceAll("0x[0-9a-f]+", "?"));
    }

    static void calls(String when) {
        Target t = new Target();
        System.out.println("-- " + when);
        tell("gone", () -> Target.Caller.gone(3));
        tell("goneToo", () -> Target.Caller.goneToo(t, 3));
        tell("shadows", () -> Target.Caller.shadows());
        tell("hot", () -> Target.Caller.hot(1000));
        tell("hotToo", () -> Target.Caller.hotToo(t, 1000));
        tell("use", () -> Target.use());
        tell("visible", () -> Target.visible());
        tell("plain", () -> t.plainly());
        tell("faces", () -> Face.text().get());
    }

    static void list() throws Exception {
        methods(Target.class);
        System.out.println(
            Arrays.toString(Arrays.stream(Target.class.getDeclaredMethods()).map(Method::toString).sorted().toArray()));
    }

    static void refusals() throws Exception {
        for (String v : new String[] {"public_added", "package_added", "instance_added", "constructor_added",
                                      "package_deleted", "instance_deleted", "constructor_deleted", "modifiers",
                                      "field"}) {
            System.out.println(v + ": " + to(v));
            System.out.println(v + ", retransformed: "
                               + retransform(new Class<?>[] {Target.class}, new byte[][] {file(v, "Target")}));
        }
        System.out.println("with one that fails: "
                           + redefine(new Class<?>[] {Target.class, Other.class},
                                      new byte[][] {file("more", "Target"), file("field", "Other")})
                           + " "
                           + redefine(new Class<?>[] {Other.class, Target.class},
                                      new byte[][] {file("field", "Other"), file("without", "Target")}));
        byte[] unverifiable = file("more", "Target");
        for (int i = 0; i + 3 < unverifiable.length; i++)    // "iload_0; iconst_3; imul; ireturn" of added()
            if (unverifiable[i] == 0x1a && unverifiable[i + 1] == 0x06 && unverifiable[i + 2] == 0x68)
                unverifiable[i + 3] = (byte) 0xb0;
        System.out.println("not verified: " + redefine(new Class<?>[] {Target.class}, new byte[][] {unverifiable}));
        calls("refused");
        list();
    }

    static void spin(String variant) throws Exception {
        Target.Caller.turns = 0;
        Thread spinning = new Thread(() -> tell("spinning", () -> Target.Caller.spin()));
        spinning.start();
        while (Target.Caller.turns < 300_000 && spinning.isAlive()) Thread.onSpinWait();
        String said = to(variant);
        Target.Caller.stop = !variant.equals("without");
        spinning.join();
        Target.Caller.stop = false;
        System.out.println(variant + " while a loop calls: " + said);
    }

    static void running() throws Exception {
        remember(3, Target.class, "running", "(Ljava/lang/Runnable;)Ljava/lang/String;", true);
        tell("running", () -> Target.run(() -> {
            frames(Target.class);
            System.out.println("while it runs: " + to("without"));
            frames(Target.class);
            System.out.println("stack walked " + walk());
            System.gc();
        }));
        describe(3);
        tell("run again", () -> Target.run(() -> { }));
    }

    public static void main(String[] args) throws Throwable {
        root = Path.of(args[0]);
        boolean allowed = args.length > 1;
        MethodHandles.Lookup in = MethodHandles.privateLookupIn(Target.class, MethodHandles.lookup());
        calls("before");
        refusals();
        for (int i = 0; i < 50; i++) {
            Target.Caller.hot(10_000);
            Bound.sum(10_000);
        }
        MethodHandle handle = in.findStatic(Target.class, "gone", MethodType.methodType(int.class, int.class));
        MethodHandle special = in.findVirtual(Target.class, "goneToo", MethodType.methodType(int.class, int.class));
        Method method = Target.class.getDeclaredMethod("gone", int.class),
               fresh = Target.class.getDeclaredMethod("goneToo", int.class);
        method.setAccessible(true);
        fresh.setAccessible(true);
        Supplier<String> lambda = Target.lambda(), reference = Target.Caller.reference(), face = Face.text();
        tell("lambda", lambda::get);
        tell("reference", reference::get);
        tell("method", () -> method.invoke(null, 3));
        remember(0, Target.class, "gone", "(I)I", true);
        remember(1, Target.class, "goneToo", "(I)I", false);
        describe(0);
        System.out.println("breakpoint: " + setBreakpoint(0));
        tell("gone", () -> Target.Caller.gone(3));

        System.out.println("more: " + to("more"));
        System.out.println("breakpoint: " + clearBreakpoint(0));
        watch(Target.class);
        tell("use", () -> Target.use());
        watch(null);
        calls("more");
        list();
        if (allowed) {
            tell("added", () -> (int) in.findStatic(Target.class, "added", MethodType.methodType(int.class, int.class))
                                    .invoke(7));
            remember(2, Target.class, "added", "(I)I", true);
            describe(2);
            tell("added by JNI", () -> call(2, Target.class, 9));
            System.out.println("breakpoint in added: " + setBreakpoint(2));
            tell("use", () -> Target.use());
        }
        tell("lambda", () -> Target.lambda().get());
        tell("lambda of before", lambda::get);

        if (allowed) spin("without");
        else System.out.println("without: " + to("without"));
        calls("without");
        if (allowed) System.out.println("breakpoint in added: " + clearBreakpoint(2));
        list();
        tell("lambda of before", lambda::get);
        tell("reference of before", reference::get);
        tell("handle", () -> (int) handle.invoke(3));
        tell("hot handle", () -> Bound.sum(1000));
        tell("special", () -> (int) special.invoke(new Target(), 3));
        tell("method", () -> method.invoke(null, 3));
        tell("fresh", () -> fresh.invoke(new Target(), 3));
        tell("getDeclaredMethod", () -> Target.class.getDeclaredMethod("gone", int.class));
        tell("find", () -> in.findStatic(Target.class, "gone", MethodType.methodType(int.class, int.class)));
        tell("GetStaticMethodID", () -> same(0, Target.class, "gone", "(I)I", true));
        describe(0);
        describe(1);
        tell("gone by JNI", () -> call(0, Target.class, 3));
        System.out.println("breakpoint in gone: " + setBreakpoint(0));
        System.out.println("walked " + walk());

        System.out.println("base: " + to("base"));
        calls("back");
        list();
        tell("same id", () -> same(0, Target.class, "gone", "(I)I", true));
        tell("handle", () -> (int) handle.invoke(3));
        tell("method", () -> method.invoke(null, 3));
        tell("new method", () -> {
            Method m = Target.class.getDeclaredMethod("gone", int.class);
            m.setAccessible(true);
            return m.invoke(null, 3);
        });
        tell("lambda of before", lambda::get);
        tell("lambda", () -> Target.lambda().get());
        tell("hot handle", () -> Bound.sum(1000));

        running();
        System.out.println("base: " + to("base"));
        spin("more");
        System.out.println("retransformed: "
                           + retransform(new Class<?>[] {Target.class, Face.class, Other.class},
                                         new byte[][] {file("without", "Target"), file("without", "Face"),
                                                       file("base", "Other")}));
        calls("retransformed");
        tell("face of before", face::get);
        String[] cycle = {"base", "more", "without", "more", "base"};
        for (int i = 0; i < 60; i++) {
            String said = to(cycle[i % cycle.length]);
            if (!said.equals("NONE") && allowed) System.out.println("FAILED: " + said);
            try {
                Target.Caller.hot(100);
            } catch (NoSuchMethodError e) {
                if (i % cycle.length != 2) System.out.println("FAILED: " + e);
            }
        }
        System.gc();
        calls("after many");
        list();
        System.out.println("twice in one call: "
                           + redefine(new Class<?>[] {Target.class, Target.class},
                                      new byte[][] {file("without", "Target"), file("more", "Target")}));
        calls("after twice");
    }
}
