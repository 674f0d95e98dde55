// Dynamically computed constants and invokedynamic with bootstrap methods of the program's own, and how both fail.
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VolatileCallSite;

public class DynamicConstants {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static final String ME = "DynamicConstants";
    static final String CONDY = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)";
    static final String INDY =
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;";
    static int bootstraps;
    static MutableCallSite mutable;

    public static Object constant(MethodHandles.Lookup l, String name, Class<?> type) {
        System.out.println("constant " + name + " " + type + " " + l.lookupClass().getName());
        bootstraps++;
        if (type == int.class) return 42;
        if (type == long.class) return 1L << 40;
        if (type == double.class) return 2.5;
        if (type == float.class) return 1.5f;
        if (type == boolean.class) return true;
        if (type == byte.class) return (byte) -3;
        if (type == char.class) return 'c';
        if (type == short.class) return (short) -300;
        if (name.equals("throws")) throw new IllegalStateException("bootstrap failed");
        if (name.equals("wrong")) return new Object();
        if (name.equals("nothing")) return null;
        return "computed " + name;
    }
    public static Object withArgs(MethodHandles.Lookup l, String name, Class<?> type, Object... args) {
        return name + java.util.Arrays.toString(args);
    }
    public static CallSite link(MethodHandles.Lookup l, String name, MethodType type) throws Exception {
        System.out.println("link " + name + " " + type);
        if (name.equals("throws")) throw new java.io.IOException("no link");
        if (name.equals("error")) throw new AssertionError("error passes");
        if (name.equals("nothing")) return null;
        if (name.equals("mistyped")) return new ConstantCallSite(MethodHandles.constant(String.class, "x"));
        MethodHandle h = MethodHandles.lookup().findStatic(DynamicConstants.class, name, type);
        return new ConstantCallSite(h);
    }
    public static CallSite linkMutable(MethodHandles.Lookup l, String name, MethodType type) {
        mutable = new MutableCallSite(
            MethodHandles.dropArguments(MethodHandles.constant(String.class, "first"), 0, type.parameterArray()));
        return mutable;
    }
    public static CallSite linkExtra(MethodHandles.Lookup l, String name, MethodType type, int i, long j, float f,
                                     double d, String s, Class<?> c, MethodType t, MethodHandle h) throws Throwable {
        String all =
            i + " " + j + " " + f + " " + d + " " + s + " " + c + " " + t + " " + h.type() + " " + h.invoke("abc");
        return new VolatileCallSite(MethodHandles.constant(String.class, all));
    }
    public static long sum(int a, long b, double c, String s) { return a + b + (long) c + s.length(); }
    public static String text() { return "from indy"; }

    static int n;
    static String stripped(Throwable e) { return e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"); }
    static void run(String desc, String code, java.util.function.Consumer<ClassAssembler> prepare, Object... args) {
        ClassAssembler a = new ClassAssembler(55, "D" + ++n);
        prepare.accept(a);
        a.method(S, "go", desc, 10, 10, code);
        try {
            Class<?> c = ClassAssembler.load(a);
            for (int i = 0; i < 2; i++) {
                try {
                    System.out.println(n + " " + ClassAssembler.call(c, "go", args));
                } catch (Throwable e) {
                    System.out.println(n + " " + stripped(e));
                    for (Throwable t = e.getCause(); t != null; t = t.getCause())
                        System.out.println("  caused by " + stripped(t));
                }
            }
        } catch (Throwable e) {
            System.out.println(n + " not loaded: " + e);
        }
    }

    public static void main(String[] args) throws Throwable {
        String bsm = "handle 6 " + ME + ".constant " + CONDY + "Ljava/lang/Object;";
        String[][] primitives = {{"I", "ldc", "ireturn"}, {"J", "ldc2_w", "lreturn"}, {"D", "ldc2_w", "dreturn"},
                                 {"F", "ldc", "freturn"}, {"Z", "ldc_w", "ireturn"},  {"B", "ldc", "ireturn"},
                                 {"C", "ldc", "ireturn"}, {"S", "ldc", "ireturn"}};
        for (String[] p : primitives)
            run("()" + p[0], p[1] + " dynamic 0 name" + p[0] + " " + p[0] + "\n " + p[2], a -> a.bootstrap(bsm));
        run("()Ljava/lang/Object;", "ldc dynamic 0 text Ljava/lang/String;\n areturn", a -> a.bootstrap(bsm));
        run("()Ljava/lang/Object;", "ldc_w dynamic 0 nothing Ljava/lang/Object;\n areturn", a -> a.bootstrap(bsm));
        run("()Ljava/lang/Object;", "ldc dynamic 0 throws Ljava/lang/Object;\n areturn", a -> a.bootstrap(bsm));
        run("()Ljava/lang/Object;", "ldc dynamic 0 wrong Ljava/lang/String;\n areturn", a -> a.bootstrap(bsm));
        System.out.println("bootstraps " + bootstraps);
        run("()Ljava/lang/Object;", "ldc dynamic 1 outer Ljava/lang/Object;\n areturn", a -> {
            a.bootstrap(bsm);
            a.bootstrap("handle 6 " + ME + ".withArgs " + CONDY.replace(")", "[Ljava/lang/Object;)")
                            + "Ljava/lang/Object;",
                        "dynamic 0 inner Ljava/lang/String;", "7", "8L", "\"s\"", "class java/lang/Runnable",
                        "type (I)J");
        });
        run("()Ljava/lang/Object;", "ldc dynamic 0 cyclic Ljava/lang/Object;\n areturn",
            a
            -> a.bootstrap("handle 6 " + ME + ".withArgs " + CONDY.replace(")", "[Ljava/lang/Object;)")
                               + "Ljava/lang/Object;",
                           "dynamic 0 cyclic Ljava/lang/Object;"));
        run("()Ljava/lang/Object;", "ldc dynamic 0 PI D\n pop2\n aconst_null\n areturn".replace("ldc ", "ldc2_w "),
            a
            -> a.bootstrap("handle 6 java/lang/invoke/ConstantBootstraps.nullConstant " + CONDY
                           + "Ljava/lang/Object;"));
        run("()Ljava/lang/Object;", "ldc dynamic 0 NEW Ljava/lang/Thread$State;\n areturn",
            a
            -> a.bootstrap("handle 6 java/lang/invoke/ConstantBootstraps.enumConstant " + CONDY + "Ljava/lang/Enum;"));
        run("()Ljava/lang/Object;", "ldc dynamic 0 I Ljava/lang/Class;\n areturn",
            a
            -> a.bootstrap("handle 6 java/lang/invoke/ConstantBootstraps.primitiveClass " + CONDY
                           + "Ljava/lang/Class;"));
        run("()Ljava/lang/Object;", "ldc dynamic 5 none Ljava/lang/Object;\n areturn", a -> a.bootstrap(bsm));
        run("()Ljava/lang/Object;", "ldc dynamic 0 none Ljava/lang/Object;\n areturn",
            a -> a.bootstrap("handle 6 " + ME + ".missing " + CONDY + "Ljava/lang/Object;"));
        String link = "handle 6 " + ME + ".link " + INDY + ")Ljava/lang/invoke/CallSite;";
        run("(I)J",
            "iload_0\n ldc2_w 10L\n ldc2_w 2.5d\n ldc \"four\"\n invokedynamic 0 sum (IJDLjava/lang/String;)J\n "
                + "lreturn",
            a -> a.bootstrap(link), 5);
        run("()Ljava/lang/Object;", "invokedynamic 0 text ()Ljava/lang/String;\n areturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 throws ()Ljava/lang/String;\n areturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 error ()Ljava/lang/String;\n areturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 nothing ()Ljava/lang/String;\n areturn", a -> a.bootstrap(link));
        run("()I", "invokedynamic 0 mistyped ()I\n ireturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 missing ()Ljava/lang/String;\n areturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 noClass ()LMissing;\n areturn", a -> a.bootstrap(link));
        run("()Ljava/lang/Object;", "invokedynamic 0 x ()Ljava/lang/String;\n areturn",
            a
            -> a.bootstrap(
                "handle 6 " + ME + ".linkExtra " + INDY
                    + "IJFDLjava/lang/String;"
                    + "Ljava/lang/Class;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;"
                    + ")Ljava/lang/invoke/CallSite;",
                "1", "2L", "3.5f", "4.5d", "\"five\"", "class [I", "type (Ljava/lang/String;J)V",
                "handle 5 java/lang/String.length ()I"));
        run("(Ljava/lang/Object;)Ljava/lang/Object;",
            "aload_0\n invokedynamic 0 x (Ljava/lang/Object;)Ljava/lang/String;\n areturn",
            a -> a.bootstrap("handle 6 " + ME + ".linkMutable " + INDY + ")Ljava/lang/invoke/CallSite;"), "arg");
        ClassAssembler a = new ClassAssembler(55, "Mutable");
        a.bootstrap("handle 6 " + ME + ".linkMutable " + INDY + ")Ljava/lang/invoke/CallSite;");
        a.method(S, "go", "()Ljava/lang/Object;", 2, 1, "invokedynamic 0 x ()Ljava/lang/String;\n areturn");
        Class<?> c = ClassAssembler.load(a);
        System.out.println(ClassAssembler.call(c, "go"));
        mutable.setTarget(MethodHandles.constant(String.class, "second"));
        MutableCallSite.syncAll(new MutableCallSite[] {mutable});
        System.out.println(ClassAssembler.call(c, "go"));
        String[] handles = {"2 java/lang/Integer.MAX_VALUE I",
                            "5 java/lang/String.length ()I",
                            "6 java/lang/Math.max (II)I",
                            "7 java/lang/Object.hashCode ()I",
                            "8 java/lang/StringBuilder.<init> ()V",
                            "9 java/util/List.size ()I",
                            "6 interface java/util/List.of ()Ljava/util/List;",
                            "2 java/lang/Integer.missing I",
                            "5 java/lang/String.max (II)I",
                            "6 java/lang/String.length ()I",
                            "5 Missing.m ()V",
                            "2 java/lang/String.value [B",
                            "6 " + ME + ".text ()Ljava/lang/String;"};
        for (String h : handles) {
            run("()Ljava/lang/Object;",
                "ldc handle " + h
                    + "\n invokevirtual java/lang/invoke/MethodHandle.type ()Ljava/lang/invoke/MethodType;\n areturn",
                x -> {});
        }
        run("()Ljava/lang/Object;", "ldc type (ILjava/lang/String;[[D)Ljava/util/Map;\n areturn", x -> {});
        run("()Ljava/lang/Object;", "ldc type (LMissing;)V\n areturn", x -> {});
        run("()I",
            "ldc handle 6 java/lang/Math.max (II)I\n iconst_3\n iconst_5\n invokevirtual "
                + "java/lang/invoke/MethodHandle.invokeExact (II)I\n ireturn",
            x -> {});
        run("()J",
            "ldc handle 6 java/lang/Math.max (II)I\n iconst_3\n iconst_5\n invokevirtual "
                + "java/lang/invoke/MethodHandle.invoke (IS)J\n lreturn",
            x -> {});
        run("()I",
            "ldc handle 6 java/lang/Math.max (II)I\n iconst_3\n invokevirtual "
                + "java/lang/invoke/MethodHandle.invokeExact (I)I\n ireturn",
            x -> {});
        run("()I",
            "aconst_null\n checkcast java/lang/invoke/MethodHandle\n iconst_3\n invokevirtual "
                + "java/lang/invoke/MethodHandle.invokeExact (I)I\n ireturn",
            x -> {});
    }
}
