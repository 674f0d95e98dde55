// Hidden classes, Lookup.defineClass, class data, nest mates and private lookups.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;

public class HiddenClasses {
    private static int secret = 41;
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(strip(a.run()));
        } catch (Throwable e) {
            System.out.println(strip(e));
        }
    }
    static String strip(Object o) { return String.valueOf(o).replaceAll("(0x|@)[0-9a-f]+", "@").replaceAll("/@", "/"); }
    static ClassAssembler counter(String name) {
        return new ClassAssembler(55, P | ClassAssembler.SUPER, name, "java/lang/Object",
                                  "java/util/function/IntSupplier")
            .constructor("java/lang/Object")
            .field(ClassAssembler.STATIC, "n", "I")
            .method(P, "getAsInt", "()I", 4, 1,
                    "getstatic " + name + ".n I\n iconst_1\n iadd\n dup\n putstatic " + name + ".n I\n ireturn")
            .method(S, "secret", "()I", 4, 1, "getstatic HiddenClasses.secret I\n iconst_1\n iadd\n ireturn")
            .method(S, "self", "()Ljava/lang/Object;", 4, 1,
                    "new " + name + "\n dup\n invokespecial " + name + ".<init> ()V\n areturn")
            .method(
                S, "caller", "()Ljava/lang/Class;", 1, 0,
                "invokestatic java/lang/invoke/MethodHandles.lookup ()Ljava/lang/invoke/MethodHandles$Lookup;\n"
                    + " invokevirtual java/lang/invoke/MethodHandles$Lookup.lookupClass ()Ljava/lang/Class;\n areturn")
            .method(
                S, "fail", "()V", 4, 1,
                "new java/lang/Error\n dup\n ldc \"from hidden\"\n invokespecial java/lang/Error.<init> "
                    + "(Ljava/lang/String;)V\n athrow");
    }

    public static void main(String[] args) throws Throwable {
        Lookup l = MethodHandles.lookup();
        byte[] bytes = counter("Hid").toBytes();
        Lookup h1 = l.defineHiddenClass(bytes, true),
               h2 = l.defineHiddenClass(bytes, false, Lookup.ClassOption.NESTMATE),
               h3 = l.defineHiddenClass(bytes, true, Lookup.ClassOption.STRONG, Lookup.ClassOption.NESTMATE);
        Class<?> c1 = h1.lookupClass(), c2 = h2.lookupClass();
        t(() -> c1.getName());
        t(() -> c1.getSimpleName());
        t(() -> c1.getCanonicalName());
        t(() -> c1.getTypeName());
        t(() -> c1.descriptorString());
        t(()
                -> c1.isHidden() + " " + c1.isAnonymousClass() + c1.isArray() + (c1 != c2)
                + (c1.getClassLoader() == HiddenClasses.class.getClassLoader()));
        t(() -> c1.getNestHost());
        t(() -> c2.getNestHost());
        t(() -> c1.arrayType().getName());
        t(() -> Class.forName(c1.getName()));
        t(() -> c1.getPackageName().isEmpty());
        t(() -> c1.toString());
        java.util.function.IntSupplier s1 = (java.util.function.IntSupplier) c1.getConstructor().newInstance(),
                                       s2 = (java.util.function.IntSupplier) c2.getConstructor().newInstance();
        System.out.println(s1.getAsInt() + " " + s1.getAsInt() + " " + s2.getAsInt());
        t(() -> h1.findStatic(c1, "secret", MethodType.methodType(int.class)).invoke());
        t(() -> h2.findStatic(c2, "secret", MethodType.methodType(int.class)).invoke());
        t(() -> h3.findStatic(h3.lookupClass(), "secret", MethodType.methodType(int.class)).invoke());
        t(() -> h1.findStatic(c1, "caller", MethodType.methodType(Class.class)).invoke() == c1);
        t(() -> c1.getMethod("caller").invoke(null) == c1);
        t(() -> c1.isInstance(h1.findStatic(c1, "self", MethodType.methodType(Object.class)).invoke()));
        t(() -> h1.findStatic(c1, "fail", MethodType.methodType(void.class)).invoke());
        t(() -> {
            try {
                c1.getMethod("fail").invoke(null);
                return 0;
            } catch (java.lang.reflect.InvocationTargetException e) {
                StackTraceElement[] st = e.getCause().getStackTrace();
                return e.getCause() + " " + st[0].getMethodName().equals("fail");
            }
        });
        t(() -> {
            var f = c1.getDeclaredField("n");
            f.setAccessible(true);
            f.setInt(null, 100);
            return s1.getAsInt();
        });
        t(() -> String.class.cast(s1));
        t(() -> (Runnable) s1);
        t(() -> l.defineHiddenClass(new ClassAssembler(55, "other/Pkg").toBytes(), true));
        t(() -> l.defineHiddenClass(new byte[3], true));
        t(() -> l.defineHiddenClass(bytes, true, (Lookup.ClassOption[]) null));
        t(() -> MethodHandles.publicLookup().defineHiddenClass(bytes, true));
        t(()
              -> l.defineHiddenClass(new ClassAssembler(61,
                                                        ClassAssembler.FINAL | ClassAssembler.SUPER
                                                            | ClassAssembler.INTERFACE,
                                                        "Bad", "java/lang/Object")
                                         .toBytes(),
                                     true));
        ClassAssembler data = new ClassAssembler(55, "WithData");
        data.bootstrap(
            "handle 6 java/lang/invoke/MethodHandles.classData "
                + "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;");
        data.bootstrap(
            "handle 6 java/lang/invoke/MethodHandles.classDataAt "
                + "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)Ljava/lang/Object;",
            "1");
        data.method(S, "all", "()Ljava/lang/Object;", 2, 0, "ldc dynamic 0 _ Ljava/util/List;\n areturn")
            .method(S, "second", "()Ljava/lang/Object;", 2, 0, "ldc dynamic 1 _ Ljava/lang/String;\n areturn");
        Lookup d = l.defineHiddenClassWithClassData(data.toBytes(), List.of("first", "second", 3), true);
        t(() -> d.findStatic(d.lookupClass(), "all", MethodType.methodType(Object.class)).invoke());
        t(() -> d.findStatic(d.lookupClass(), "second", MethodType.methodType(Object.class)).invoke());
        t(() -> MethodHandles.classData(d, "_", List.class));
        t(() -> MethodHandles.classData(l, "_", Object.class));
        Class<?> plain = l.defineClass(counter("Plain").toBytes());
        t(() -> plain.getName() + " " + (Class.forName("Plain") == plain) + plain.isHidden());
        t(() -> l.defineClass(counter("Plain").toBytes()));
        t(() -> l.in(plain).findStatic(plain, "self", MethodType.methodType(Object.class)).invoke().getClass());
        Lookup p = MethodHandles.privateLookupIn(HiddenClasses.class, l);
        t(() -> p.findStaticGetter(HiddenClasses.class, "secret", int.class).invoke());
        t(() -> MethodHandles.privateLookupIn(String.class, l));
        t(() -> l.dropLookupMode(Lookup.PRIVATE).findStaticGetter(HiddenClasses.class, "secret", int.class));
        t(() -> l + " " + l.lookupModes() + l.hasFullPrivilegeAccess());
        t(() -> l.ensureInitialized(HiddenClasses.class) + " " + l.previousLookupClass());
    }
}
