// What a loader constraint has refused it refuses again, to the loader that would have defined the class and to the one
// that would have answered it.
import java.util.HashMap;
import java.util.Map;

public class LoaderConstraintsStick {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    /** Defines what it has, answers what it was told to, and asks its parent for the rest. */
    static final class Answering extends ClassLoader {
        final Map<String, byte[]> own = new HashMap<>();
        final Map<String, Class<?>> foreign = new HashMap<>();
        Answering(String name, ClassLoader parent, ClassAssembler... classes) {
            super(name, parent);
            for (ClassAssembler a : classes) own.put(a.name(), a.toBytes());
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (foreign.containsKey(name)) return foreign.get(name);
            Class<?> c = findLoadedClass(name);
            byte[] b = own.get(name);
            if (c == null && b != null) c = defineClass(name, b, 0, b.length);
            return c != null ? c : super.loadClass(name, resolve);
        }
        Class<?> loaded(String name) { return findLoadedClass(name); }
    }
    interface Step {
        Object run() throws Throwable;
    }
    static void show(String what, Step step) {
        try {
            System.out.println(what + ": " + step.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }
    static ClassAssembler type() { return new ClassAssembler(52, "T").constructor("java/lang/Object"); }
    static ClassAssembler user(String name) {
        return new ClassAssembler(52, name)
            .method(S, "constrain", "()Ljava/lang/Object;", 2, 1,
                    "aconst_null\n invokestatic Base.take (LT;)V\n aconst_null\n areturn")
            .method(S, "again", "()Ljava/lang/Object;", 2, 1,
                    "aconst_null\n invokestatic Base.more (LT;)V\n aconst_null\n areturn")
            .method(S, "named", "()Ljava/lang/Object;", 1, 1, "ldc class T\n areturn")
            .method(S, "made", "()Ljava/lang/Object;", 2, 1, "new T\n dup\n invokespecial T.<init> ()V\n areturn");
    }

    public static void main(String[] args) throws Throwable {
        ClassAssembler base = new ClassAssembler(52, "Base")
                                  .method(S, "take", "(LT;)V", 0, 1, "return")
                                  .method(S, "more", "(LT;)V", 0, 1, "return");
        for (boolean defines : new boolean[] {true, false}) {
            Answering parent = new Answering("parent", LoaderConstraintsStick.class.getClassLoader(), base, type());
            Answering other = new Answering("other", LoaderConstraintsStick.class.getClassLoader(), type());
            Answering child = new Answering("child", parent, user("User"), user("Later"));
            if (defines) child.own.put("T", type().toBytes());
            else child.foreign.put("T", other.loadClass("T"));
            parent.loadClass("T");
            Class<?> user = child.loadClass("User"), later = child.loadClass("Later");
            show("constrain", () -> ClassAssembler.call(user, "constrain"));
            for (int i = 0; i < 2; i++) {
                show("by name", () -> Class.forName("T", false, child));
                show("array by name", () -> Class.forName("[LT;", false, child));
                show("first class", () -> ClassAssembler.call(user, "named"));
                show("second class", () -> ClassAssembler.call(later, "named"));
                show("instance", () -> ClassAssembler.call(later, "made"));
                show("loaded", () -> child.loaded("T"));
            }
            show("constrain again", () -> ClassAssembler.call(later, "again"));
            child.own.remove("T");
            child.foreign.put("T", parent.loadClass("T"));
            show("the right one", () -> Class.forName("T", false, child) == parent.loadClass("T"));
            show("loaded", () -> child.loaded("T") == parent.loadClass("T"));
            show("first class", () -> ClassAssembler.call(user, "named"));
            show("constrain again", () -> ClassAssembler.call(user, "again"));
        }
        /* the other order: the loader answers first, the constraint comes too late and is none */
        Answering parent = new Answering("parent", LoaderConstraintsStick.class.getClassLoader(), base, type());
        Answering other = new Answering("other", LoaderConstraintsStick.class.getClassLoader(), type());
        Answering child = new Answering("child", parent, user("User"));
        child.foreign.put("T", other.loadClass("T"));
        parent.loadClass("T");
        Class<?> user = child.loadClass("User");
        show("named", () -> ((Class<?>) ClassAssembler.call(user, "named")).getClassLoader().getName());
        for (int i = 0; i < 2; i++) {
            show("constrain", () -> ClassAssembler.call(user, "constrain"));
            show("constrain again", () -> ClassAssembler.call(user, "again"));
        }
        /* one that answers another class while another thread has been answered */
        Fickle fickle = new Fickle(other.loadClass("T"), parent.loadClass("T"));
        for (int i = 0; i < 2; i++) show("fickle", () -> Class.forName("T", false, fickle) == fickle.first);
    }

    static final class Fickle extends ClassLoader {
        static { registerAsParallelCapable(); }
        final Class<?> first, second;
        boolean asked;
        Fickle(Class<?> first, Class<?> second) {
            super("fickle", null);
            this.first = first;
            this.second = second;
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (asked) return first;
            asked = true;
            Thread thread = new Thread(() -> show("meanwhile", () -> Class.forName("T", false, this) == first));
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new ClassNotFoundException(name, e);
            }
            return second;
        }
    }
}
