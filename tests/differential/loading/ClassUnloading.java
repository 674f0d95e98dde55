// Classes and loaders are unloaded when nothing holds them, hidden classes on their own; statics keep nothing alive.
import java.lang.invoke.MethodHandles;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

public class ClassUnloading {
    static boolean collected(WeakReference<?>... refs) {
        for (int i = 0; i < 2000; i++) {
            boolean all = true;
            for (WeakReference<?> r : refs) all &= r.refersTo(null);
            if (all) return true;
            System.gc();
        }
        return false;
    }
    static Class<?> make(int i) throws Exception {
        ClassAssembler a = new ClassAssembler(52, "Gen" + i)
                               .field(ClassAssembler.PUBLIC | ClassAssembler.STATIC, "self", "Ljava/lang/Object;")
                               .constructor("java/lang/Object")
                               .method(ClassAssembler.STATIC, "<clinit>", "()V", 2, 0,
                                       "new Gen" + i + "\n dup\n invokespecial Gen" + i + ".<init> ()V\n putstatic Gen"
                                           + i + ".self Ljava/lang/Object;\n return");
        Class<?> c = ClassAssembler.load(a);
        return Class.forName(c.getName(), true, c.getClassLoader());
    }
    static WeakReference<?>[] fresh(int i) throws Exception {
        Class<?> c = make(i);
        return new WeakReference<?>[] {new WeakReference<>(c), new WeakReference<>(c.getClassLoader()),
                                       new WeakReference<>(c.getField("self").get(null))};
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(collected(fresh(1)));
        Class<?> kept = make(2);
        WeakReference<Object> k = new WeakReference<>(kept.getField("self").get(null));
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println(k.get() != null && k.get().getClass() == kept);
        Object instance = make(3).getField("self").get(null);
        WeakReference<ClassLoader> l = new WeakReference<>(instance.getClass().getClassLoader());
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println(l.get() != null);
        instance = null;
        System.out.println(collected(l));
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        List<WeakReference<Object>> refs = new ArrayList<>();
        for (int i = 0; i < 50; i++) refs.add(new WeakReference<>(make(10 + i), q));
        System.out.println(collected(refs.toArray(new WeakReference<?>[0])));
        int queued = 0;
        while (queued < 50) {
            if (q.remove() != null) queued++;
        }
        System.out.println(queued);
        byte[] hid = new ClassAssembler(55, "Hid").constructor("java/lang/Object").toBytes();
        WeakReference<Class<?>> h =
            new WeakReference<>(MethodHandles.lookup().defineHiddenClass(hid, true).lookupClass());
        System.out.println(collected(h));
        Class<?> strong =
            MethodHandles.lookup().defineHiddenClass(hid, true, MethodHandles.Lookup.ClassOption.STRONG).lookupClass();
        WeakReference<Class<?>> s = new WeakReference<>(strong);
        strong = null;
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println(s.get() != null);
        Runnable r = () -> System.out.println("lambda still runs");
        for (int i = 0; i < 3; i++) System.gc();
        r.run();
        Thread t = new Thread(() -> {});
        t.setContextClassLoader(make(100).getClassLoader());
        WeakReference<ClassLoader> c = new WeakReference<>(t.getContextClassLoader());
        t.start();
        t.join();
        t = null;
        System.out.println(collected(c));
        System.out.println(kept.getField("self").get(null).getClass() == kept);
    }
}
