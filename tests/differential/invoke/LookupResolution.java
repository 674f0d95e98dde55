// What looking a method up checks when it is resolved: abstract methods by findSpecial, loader constraints of public
// lookups, the linkers of method handles.
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

public class LookupResolution {
    interface Named {
        String name();
    }
    interface Further extends Named { }
    interface Filled {
        String missing();
        default String text() { return "text"; }
    }
    interface Deeper extends Filled {
        String missing();
        default String deep() { return "deep"; }
    }
    static abstract class Partly implements Named {
        abstract String there();
        String here() { return "here"; }
    }
    static class Whole extends Partly implements Further, Deeper {
        static final Lookup LOOKUP = MethodHandles.lookup();
        public String name() { return "name"; }
        public String missing() { return "not missing"; }
        String there() { return "there"; }
    }

    public static class T { }
    public static class EndPoint {
        public String test(T t) { return "tested"; }
        public static String fixed(T t) { return "fixed"; }
    }

    static class Again extends ClassLoader {
        Again(String name) { super(name, LookupResolution.class.getClassLoader()); }
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.endsWith("$T") && !name.endsWith("$EndPoint")) return super.loadClass(name, resolve);
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    interface Attempt { Object run() throws Throwable; }
    static void show(String what, Attempt a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t + ", because of " + t.getCause());
        }
    }

    static void special(Class<?> in, String name) {
        MethodType t = MethodType.methodType(String.class);
        show("special " + in.getSimpleName() + "." + name,
             () -> (String) Whole.LOOKUP.findSpecial(in, name, t, Whole.class).invokeExact(new Whole()));
    }

    public static void main(String[] args) throws Throwable {
        for (Class<?> in : new Class<?>[] {Further.class, Named.class, Filled.class, Deeper.class, Partly.class,
                                           Whole.class}) {
            for (String name : new String[] {"name", "text", "missing", "deep", "there", "here"}) special(in, name);
        }
        ClassLoader one = new Again("one"), two = new Again("two");
        Class<?> target = one.loadClass(EndPoint.class.getName()), parameter = one.loadClass(T.class.getName());
        Class<?> other = two.loadClass(EndPoint.class.getName());
        two.loadClass(T.class.getName());
        Lookup open = MethodHandles.publicLookup();
        for (Lookup l : new Lookup[] {open, open.in(target), open.in(other), open.in(EndPoint.class)}) {
            show("virtual by " + l.lookupClass().getClassLoader(), () -> {
                MethodHandle h = l.findVirtual(target, "test", MethodType.methodType(String.class, parameter));
                return h.invoke(target.getConstructor().newInstance(), parameter.getConstructor().newInstance());
            });
            show("static by " + l.lookupClass().getClassLoader(), () -> {
                MethodHandle h = l.findStatic(target, "fixed", MethodType.methodType(String.class, parameter));
                return h.invoke(parameter.getConstructor().newInstance());
            });
        }
        var field = Lookup.class.getDeclaredField("IMPL_LOOKUP");
        field.setAccessible(true);
        var trusted = (Lookup) field.get(null);
        MethodType linker = MethodType.methodType(Object.class, Object.class,
                                                  Class.forName("java.lang.invoke.MemberName"));
        for (String name : new String[] {"linkToSpecial", "linkToVirtual", "linkToInterface"}) {
            show(name, () -> {
                MethodHandle h = trusted.findStatic(MethodHandle.class, name, linker);
                return h + " " + h.isVarargsCollector();
            });
        }
    }
}
