// Constraints on one name that come to share a loader are one constraint; loaders that go leave it, and so does the
// class when its loader goes.
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

public class LoaderConstraintsMerge {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    /** Defines what it has, answers what it was told to, and asks its parent for the rest. */
    static final class Answering extends ClassLoader {
        final Map<String, byte[]> own = new HashMap<>();
        final Map<String, Answering> foreign = new HashMap<>();
        Answering(String name, ClassAssembler... classes) {
            super(name, LoaderConstraintsMerge.class.getClassLoader());
            for (ClassAssembler a : classes) own.put(a.name(), a.toBytes());
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (foreign.containsKey(name)) return foreign.get(name).loadClass(name);
            Class<?> c = findLoadedClass(name);
            byte[] b = own.get(name);
            if (c == null && b != null) c = defineClass(name, b, 0, b.length);
            return c != null ? c : super.loadClass(name, resolve);
        }
    }
    static void show(String what, Answering loader, String name) {
        try {
            System.out.println(what + ": " + (loader.loadClass(name).getClassLoader() == loader));
        } catch (Throwable e) {
            System.out.println(what + ": " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }
    static ClassAssembler type(String name) { return new ClassAssembler(52, name).constructor("java/lang/Object"); }
    static ClassAssembler base(String name, String type) {
        return new ClassAssembler(52, name).method(S, "take", "(L" + type + ";)V", 0, 1, "return");
    }
    static ClassAssembler user(String name, String base, String type) {
        return new ClassAssembler(52, name)
            .method(S, "constrain", "()Ljava/lang/Object;", 2, 1,
                    "aconst_null\n invokestatic " + base + ".take (L" + type + ";)V\n aconst_null\n areturn");
    }
    /** From now on `type` means one class in both. */
    static void constrain(Answering from, Answering to, String type) throws Throwable {
        String base = "Of" + to.getName() + type, user = "User" + base + from.getName();
        from.foreign.put(base, to);
        from.own.put(user, user(user, base, type).toBytes());
        ClassAssembler.call(from.loadClass(user), "constrain");
    }
    static Answering answering(String name, String type) {
        return new Answering(name, type(type), base("Of" + name + type, type));
    }

    /** Two pairs, which come together by a fifth loader. The loader that has defined the type. */
    static Answering meet(Answering a, Answering b, String type, boolean loadedBefore) throws Throwable {
        Answering c = answering("c", type), d = answering("d", type), between = answering("between", type);
        constrain(a, b, type);
        constrain(c, d, type);
        if (loadedBefore) show(type + " in c", c, type);
        constrain(between, b, type);
        constrain(between, d, type);
        if (!loadedBefore) show(type + " in c", c, type);
        show(type + " in d, which has a constraint with c", d, type);
        show(type + " in b, which has come together with c", b, type);
        show(type + " in a", a, type);
        show(type + " in between", between, type);
        b.foreign.put(type, c);
        show(type + " in b, as c", b, type);
        b.foreign.clear();
        return c;
    }

    public static void main(String[] args) throws Throwable {
        for (int i = 0; i < 20; i++) {
            String type = "T" + i;
            Answering a = answering("a", type), b = answering("b", type), last = answering("last", type);
            Answering defined = meet(a, b, type, i % 2 == 0);
            constrain(last, a, type);
            show(type + " in the last", last, type);
            Reference.reachabilityFence(defined);        /* the constraint lasts as long as the class */
        }
        Answering a = answering("a", "U"), b = answering("b", "U");
        constrain(a, b, "U");
        WeakReference<?> gone = meetAndGo(a, "U");
        while (gone.get() != null) System.gc();
        show("U in a, now that the other loaders are gone", a, "U");
        show("U in b, which has a constraint with a", b, "U");
    }
    static WeakReference<?> meetAndGo(Answering a, String type) throws Throwable {
        Answering c = answering("c", type);
        constrain(c, a, type);
        show(type + " in c", c, type);
        show(type + " in a, which has a constraint with c", a, type);
        return new WeakReference<>(c);
    }
}
