// Classes named like the library's own, defined by a loader of the program: their names give them no rights. What is
// verified goes by the loader, too.
public class TrustByName {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    interface Step {
        Object run() throws Throwable;
    }
    static void show(String what, Step step) {
        try {
            System.out.println(what + ": " + step.run());
        } catch (Throwable e) {
            System.out.println(what + ": "
                               + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@").replaceAll("(?s)\n.*", ""));
        }
    }

    /** A class loader of the given name, with {@code define(name, bytes)}. */
    static ClassLoader loader(String name) throws Throwable {
        ClassAssembler a =
            new ClassAssembler(52, ClassAssembler.PUBLIC | ClassAssembler.SUPER, name, "java/lang/ClassLoader");
        a.method(ClassAssembler.PUBLIC, "<init>", "(Ljava/lang/ClassLoader;)V", 2, 2,
                 "aload_0\n aload_1\n invokespecial java/lang/ClassLoader.<init> (Ljava/lang/ClassLoader;)V\n return");
        a.method(ClassAssembler.PUBLIC, "define", "(Ljava/lang/String;[B)Ljava/lang/Class;", 5, 3,
                 "aload_0\n aload_1\n aload_2\n iconst_0\n aload_2\n arraylength\n"
                     + "invokevirtual " + name + ".defineClass (Ljava/lang/String;[BII)Ljava/lang/Class;\n areturn");
        return (ClassLoader) ClassAssembler.load(a)
            .getConstructor(ClassLoader.class)
            .newInstance(TrustByName.class.getClassLoader());
    }
    static Class<?> define(ClassLoader l, ClassAssembler a) throws Throwable {
        return define(l, a.name(), a.toBytes());
    }
    static Class<?> define(ClassLoader l, String name, byte[] bytes) throws Throwable {
        try {
            return (Class<?>) l.getClass().getMethod("define", String.class, byte[].class).invoke(l, name, bytes);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
    public static void main(String[] args) throws Throwable {
        byte[] throwing = TrustByName.class.getResourceAsStream("TrustByName$Throwing.class").readAllBytes();
        String bad = "iconst_1\n areturn";
        for (String name : new String[] {"jdk/internal/loader/ClassLoaders$PlatformClassLoader",
                                         "jdk/internal/loader/ClassLoaders$AppClassLoader",
                                         "jdk/internal/reflect/DelegatingClassLoader", "OrdinaryLoader"}) {
            ClassLoader l = loader(name);
            System.out.println(name);
            show("unverifiable",
                 ()
                     -> ClassAssembler.call(define(l,
                                                   new ClassAssembler(52, "Bad").method(S, "m", "()Ljava/lang/Object;",
                                                                                        1, 0, bad)),
                                            "m"));
            show("bad name", () -> define(l, new ClassAssembler(52, "BadName").field(S, "a;b", "I")));
            show("java.*", () -> define(l, new ClassAssembler(52, "java/util/Mine")));
            /* frames of methods with this annotation are left out of stack traces */
            show("stack", () -> {
                try {
                    return ClassAssembler.call(define(l, "TrustByName$Throwing", throwing), "hidden");
                } catch (Error e) {
                    return e.getStackTrace()[0];
                }
            });
            /* the loader itself is asked for classes, not its parent */
            ClassLoader asked = loader(name);
            Class<?> own = define(asked, new ClassAssembler(52, "java2/Own"));
            Class<?> user =
                define(asked, new ClassAssembler(52, "User")
                                  .method(S, "m", "()Ljava/lang/Class;", 1, 0, "ldc class java2/Own\n areturn"));
            show("finds its own", () -> ClassAssembler.call(user, "m") == own);
            /* a module of such a loader, and what messages say of its parent */
            ClassAssembler a = new ClassAssembler(52, "Fresh");
            define(asked, a);
            show("duplicate", () -> define(asked, a));
            show("cast",
                 ()
                     -> ClassAssembler.call(define(asked,
                                                   new ClassAssembler(52, "Caster")
                                                       .method(S, "m", "()Ljava/lang/Object;", 1, 0,
                                                               "ldc class java2/Own\n checkcast Fresh\n areturn")),
                                            "m"));
        }
        /* which of the library's own loaders' classes are verified; linked, but not run */
        for (Class<?> in : new Class<?>[] {java.util.List.class, java.sql.Date.class, TrustByName.class}) {
            String where = in.getPackageName().isEmpty() ? "" : in.getPackageName().replace('.', '/') + "/";
            show("verified beside " + in.getName(), () -> {
                java.lang.invoke.MethodHandles.Lookup lookup =
                    java.lang.invoke.MethodHandles.privateLookupIn(in, java.lang.invoke.MethodHandles.lookup());
                ClassAssembler a =
                    new ClassAssembler(52, where + "Unverifiable").method(S, "m", "()Ljava/lang/Object;", 1, 0, bad);
                return lookup.ensureInitialized(lookup.defineClass(a.toBytes()));
            });
            /* 17 lets the platform loader's classes have illegal names */
            if (in != java.sql.Date.class)
                show("checked beside " + in.getName(), () -> {
                    java.lang.invoke.MethodHandles.Lookup lookup =
                        java.lang.invoke.MethodHandles.privateLookupIn(in, java.lang.invoke.MethodHandles.lookup());
                    return lookup.defineClass(new ClassAssembler(52, where + "Named").field(S, "a;b", "I").toBytes());
                });
        }
        /* a class named like an accessor of reflection is a caller like any other */
        for (String name : new String[] {"jdk/internal/reflect/NativeMethodAccessorImpl",
                                         "jdk/internal/reflect/DirectMethodHandleAccessor$X", "Plain"}) {
            ClassAssembler a = new ClassAssembler(52, name);
            a.method(
                S, "m", "()Ljava/lang/Object;", 1, 0,
                "ldc \"TrustByName\"\n invokestatic java/lang/Class.forName (Ljava/lang/String;)Ljava/lang/Class;\n "
                    + "areturn");
            ClassLoader l = new ClassAssembler.Loader(null, a);
            show(name, () -> ClassAssembler.call(l.loadClass(name.replace('/', '.')), "m"));
        }
    }

    public static class Throwing {
        @jdk.internal.vm.annotation.Hidden
        public static void hidden() { throw new Error(); }
    }
}
