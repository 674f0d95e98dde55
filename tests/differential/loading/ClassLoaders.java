// Class loaders: delegation, namespaces, same name in two loaders, packages, parallel capability, definition errors,
// loader constraints.
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

public class ClassLoaders {
    public static class Payload {
        public static int count;
        public int bump() { return ++count; }
        public String toString() { return "payload " + count; }
    }
    public static class User {
        public static String use(Object o) {
            Payload p = (Payload) o;
            return "used " + p;
        }
        public static Payload make() { return new Payload(); }
    }
    static class Isolating extends ClassLoader {
        final String prefix;
        Isolating(String name, ClassLoader parent, String prefix) {
            super(name, parent);
            this.prefix = prefix;
        }
        byte[] bytes(String name) {
            try (InputStream in = ClassLoaders.class.getResourceAsStream(name + ".class")) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new Error(e);
            }
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(prefix)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c == null) {
                    byte[] b = bytes(name);
                    c = defineClass(name, b, 0, b.length);
                }
                return c;
            }
        }
        Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
    }
    static class Lying extends ClassLoader {
        Lying() { super(ClassLoaders.class.getClassLoader()); }
        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("returns")) return String.class;
            if (name.startsWith("null")) return null;
            if (name.startsWith("error")) throw new IllegalStateException("from loader");
            throw new ClassNotFoundException("own message " + name);
        }
    }
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println("target " + strip(e.getCause()));
        } catch (Throwable e) {
            System.out.println(strip(e) + (e.getCause() != null ? " caused by " + strip(e.getCause()) : ""));
        }
    }
    static String strip(Throwable e) { return e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"); }

    public static void main(String[] args) throws Throwable {
        ClassLoader app = ClassLoaders.class.getClassLoader();
        System.out.println(app.getName() + " " + app.getParent().getName() + " " + app.getParent().getParent() + " "
                           + String.class.getClassLoader() + " " + (ClassLoader.getSystemClassLoader() == app)
                           + (Thread.currentThread().getContextClassLoader() == app) + " " + int.class.getClassLoader()
                           + int[].class.getClassLoader() + (ClassLoaders[].class.getClassLoader() == app) + " "
                           + java.sql.Date.class.getClassLoader().getName() + " "
                           + ClassLoader.getPlatformClassLoader().getName());
        Isolating a = new Isolating("first", app, "ClassLoaders$"),
                  b = new Isolating("second", app, "ClassLoaders$Payload");
        Class<?> pa = a.loadClass("ClassLoaders$Payload"), pb = Class.forName("ClassLoaders$Payload", false, b);
        System.out.println((pa == pb) + " " + (pa == Payload.class) + " " + (a.loadClass("ClassLoaders$Payload") == pa)
                           + " " + pa.getName().equals(pb.getName()) + " " + pa.getClassLoader().getName() + " "
                           + pa.getPackage().getName().isEmpty() + " " + pa.getModule().isNamed()
                           + (pa.getModule() == a.getUnnamedModule()));
        Object oa = pa.getConstructor().newInstance(), ob = pb.getConstructor().newInstance();
        System.out.println(pa.getMethod("bump").invoke(oa) + " " + pa.getMethod("bump").invoke(oa) + " "
                           + pb.getMethod("bump").invoke(ob) + " " + oa + " " + ob + " " + (oa instanceof Payload)
                           + Payload.count);
        t(() -> (Payload) oa);
        t(() -> a.loadClass("ClassLoaders$User").getMethod("use", Object.class).invoke(null, oa));
        t(() -> a.loadClass("ClassLoaders$User").getMethod("use", Object.class).invoke(null, ob));
        t(() -> b.loadClass("ClassLoaders$User").getMethod("use", Object.class).invoke(null, ob));
        t(() -> pa.getMethod("bump").invoke(ob));
        t(() -> a.define("ClassLoaders$Payload", a.bytes("ClassLoaders$Payload")));
        t(() -> a.define("Wrong", a.bytes("ClassLoaders$Payload")));
        t(() -> a.define(null, new byte[10]));
        t(() -> a.define("java.x.Y", new byte[10]));
        t(() -> new Isolating("z", null, "#").loadClass("ClassLoaders"));
        for (String n : new String[] {"returns.String", "null.Value", "error.Thrown", "other.Name"}) {
            t(() -> new Lying().loadClass(n));
            t(() -> Class.forName(n, true, new Lying()));
        }
        int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
        for (String n : new String[] {"returns/String", "null/Value", "error/Thrown", "other/Name"}) {
            ClassAssembler x = new ClassAssembler(49, "Refers")
                                   .method(S, "go", "()Ljava/lang/Object;", 2, 0, "ldc class " + n + "\n areturn");
            t(() -> ClassAssembler.call(new ClassAssembler.Loader(new Lying(), x).loadClass("Refers"), "go"));
        }
        ClassAssembler shared = new ClassAssembler(52, "Shared").constructor("java/lang/Object"),
                       maker = new ClassAssembler(52, "Maker")
                                   .method(S, "make", "(LShared;)LShared;", 2, 1,
                                           "new Shared\n dup\n invokespecial Shared.<init> ()V\n areturn"),
                       caller = new ClassAssembler(52, "Caller")
                                    .method(S, "go", "()Ljava/lang/Object;", 2, 0,
                                            "aconst_null\n invokestatic Maker.make (LShared;)LShared;\n areturn")
                                    .method(S, "warm", "()Ljava/lang/Object;", 2, 0,
                                            "new Shared\n dup\n invokespecial Shared.<init> ()V\n areturn");
        ClassAssembler.Loader outer = new ClassAssembler.Loader(app, shared, maker),
                              inner = new ClassAssembler.Loader(outer, shared, caller);
        t(() -> ClassAssembler.call(inner.loadClass("Caller"), "warm").getClass().getName());
        t(() -> ClassAssembler.call(outer.loadClass("Maker"), "make", (Object) null).getClass().getName());
        t(() -> ClassAssembler.call(inner.loadClass("Caller"), "go"));
        ClassAssembler base = new ClassAssembler(52, "Base")
                                  .constructor("java/lang/Object")
                                  .method(ClassAssembler.PUBLIC, "m", "(LShared;)V", 1, 2, "return"),
                       derived = new ClassAssembler(52, ClassAssembler.PUBLIC | ClassAssembler.SUPER, "Derived", "Base")
                                     .constructor("Base")
                                     .method(ClassAssembler.PUBLIC, "m", "(LShared;)V", 1, 2, "return");
        ClassAssembler.Loader low = new ClassAssembler.Loader(app, shared, base),
                              high = new ClassAssembler.Loader(low, shared, derived);
        t(() -> {
            low.loadClass("Shared");
            high.loadClass("Shared");
            return high.loadClass("Derived").getConstructor().newInstance();
        });
        Class<?> arr = java.lang.reflect.Array.newInstance(pa, 0).getClass();
        System.out.println(arr.getClassLoader().getName() + " "
                           + (Class.forName("[LClassLoaders$Payload;", false, a) == arr) + " "
                           + (Class.forName("[LClassLoaders$Payload;") == arr));
        Thread th = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader() == a));
        th.setContextClassLoader(a);
        th.start();
        th.join();
        System.out.println(
            Arrays.stream(new Class<?>[] {ClassLoaders.class, String.class, java.util.List.class})
                .map(c -> Objects.toString(c.getProtectionDomain().getCodeSource() == null ? null : "code source"))
                .toList()
            + " " + a.isRegisteredAsParallelCapable() + app.isRegisteredAsParallelCapable());
        a.setDefaultAssertionStatus(true);
        System.out.println(a.loadClass("ClassLoaders$Isolating").desiredAssertionStatus() + " "
                           + ClassLoaders.class.desiredAssertionStatus());
    }
}
