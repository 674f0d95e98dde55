import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VolatileCallSite;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import jdk.internal.misc.Unsafe;

/**
 * Stores a reference to an object that no collection has seen yet into one that has survived a collection, in every way
 * there is, each between two collections. The second one finds the young object through the old one.
 */
public class OldToYoung {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
    static byte[] padding;

    record Young(String name) implements Serializable {}

    static class Box implements Cloneable {
        Object plain;
        volatile Object ordered;

        void set(Object v) { plain = v; }
        Box copy() throws CloneNotSupportedException { return (Box) clone(); }
    }

    interface Store { void into(Object v) throws Throwable; }
    interface Load { Object from() throws Throwable; }

    static void collect() { System.gc(); }

    /** Apart from all others: whatever else is written to lies elsewhere. */
    static Box box() {
        padding = new byte[3000];
        Box b = new Box();
        padding = new byte[3000];
        return b;
    }
    static Object[] array(int n) {
        padding = new byte[3000];
        Object[] a = new Object[n];
        padding = new byte[3000];
        return a;
    }

    static void attempt(String name, Store store, Load load) throws Throwable {
        collect();
        store.into(new Young(name));
        collect();
        Object found = load.from();
        System.out.println(name + ": "
                           + (found instanceof Young y && y.name().equals(name) ? "kept" : "found " + found));
    }

    // ---- instructions -----------------------------------------------------------------------------------------------

    static class Statics { static Object plain; static volatile Object ordered; }
    static class Initializing {
        static Object value;
        static {
            collect();
            value = new Young("putstatic in the initializer");
            collect();
        }
    }
    static class Constant { static final String TEXT = "text that " + "no other class has"; }

    static void instructions() throws Throwable {
        Box b = box(), v = box();
        attempt("putfield", y -> b.plain = y, () -> b.plain);
        attempt("putfield, volatile", y -> v.ordered = y, () -> v.ordered);
        Statics.plain = Statics.ordered = null;
        attempt("putstatic", y -> Statics.plain = y, () -> Statics.plain);
        attempt("putstatic again", y -> Statics.plain = y, () -> Statics.plain);
        attempt("putstatic, volatile", y -> Statics.ordered = y, () -> Statics.ordered);
        System.out.println(Initializing.value);
        Object[] few = array(10), many = array(100_000);
        attempt("aastore", y -> few[3] = y, () -> few[3]);
        attempt("aastore, large", y -> many[77_777] = y, () -> many[77_777]);
        Object[][] nested = new Object[50][20];
        attempt("aastore, nested", y -> nested[40][10] = y, () -> nested[40][10]);
        Class<?> c = Class.forName("OldToYoung$Constant", false, OldToYoung.class.getClassLoader());
        collect();
        c.getDeclaredField("TEXT").setAccessible(true);
        UNSAFE.ensureClassInitialized(c);
        collect();
        System.out.println(c.getDeclaredField("TEXT").get(null));
    }

    // ---- copies -----------------------------------------------------------------------------------------------------

    static void copies() throws Throwable {
        Object[] to = array(10), large = array(200_000), other = array(200_000);
        attempt("arraycopy", y -> System.arraycopy(new Object[] { y }, 0, to, 4, 1), () -> to[4]);
        attempt("arraycopy, overlapping upwards", y -> {
            large[0] = y;
            System.arraycopy(large, 0, large, 500, 1000);
        }, () -> large[500]);
        attempt("arraycopy, overlapping downwards", y -> {
            large[9000] = y;
            System.arraycopy(large, 9000, large, 8500, 1000);
        }, () -> large[8500]);
        attempt("arraycopy, long, overlapping upwards", y -> {
            large[0] = y;
            System.arraycopy(large, 0, large, 1000, 150_000);
        }, () -> large[1000]);
        attempt("arraycopy, long, overlapping downwards", y -> {
            large[150_000] = y;
            System.arraycopy(large, 50_000, large, 1000, 149_000);
        }, () -> large[101_000]);
        attempt("arraycopy, long", y -> {
            Object[] from = new Object[150_000];
            from[140_000] = y;
            System.arraycopy(from, 0, other, 10, 150_000);
        }, () -> other[140_010]);
        padding = new byte[3000];
        Young[] typed = new Young[10];
        padding = new byte[3000];
        attempt("arraycopy, checked", y -> System.arraycopy(new Object[] { y }, 0, typed, 4, 1), () -> typed[4]);

        Box original = box();
        Object[] copies = array(10);
        attempt("clone of an object", y -> {
            original.plain = y;
            copies[0] = original.copy();
        }, () -> ((Box) copies[0]).plain);
        // A copy of this size reaches polls: collections begin in the middle of it.
        boolean[] stop = new boolean[1];
        Thread collector = new Thread(() -> { while (!stop[0]) collect(); });
        collector.start();
        boolean whole = true;
        for (int round = 0; round < 20; round++) {
            Object[] from = new Object[400_000];
            for (int i = 0; i < from.length; i += 1000) from[i] = new Young("element " + i);
            Object[] copied = from.clone();
            for (int i = 0; i < from.length; i += 1000)
                whole &= copied[i] == from[i] && copied[i].equals(new Young("element " + i));
        }
        stop[0] = true;
        collector.join();
        System.out.println("clone of an array while collections run: " + whole);
    }
    // ---- Unsafe, VarHandle, atomics ---------------------------------------------------------------------------------

    static class UnsafeStatics { static Object value; }

    static void unsafe() throws Throwable {
        long at = UNSAFE.objectFieldOffset(Box.class, "plain"),
             element = Unsafe.ARRAY_OBJECT_BASE_OFFSET + 5L * Unsafe.ARRAY_OBJECT_INDEX_SCALE;
        Box b = box();
        Load load = () -> b.plain;
        attempt("Unsafe.putReference", y -> UNSAFE.putReference(b, at, y), load);
        attempt("Unsafe.putReferenceVolatile", y -> UNSAFE.putReferenceVolatile(b, at, y), load);
        attempt("Unsafe.putReferenceRelease", y -> UNSAFE.putReferenceRelease(b, at, y), load);
        attempt("Unsafe.putReferenceOpaque", y -> UNSAFE.putReferenceOpaque(b, at, y), load);
        attempt("Unsafe.compareAndSetReference", y -> UNSAFE.compareAndSetReference(b, at, b.plain, y), load);
        attempt("Unsafe.weakCompareAndSetReference", y -> UNSAFE.weakCompareAndSetReference(b, at, b.plain, y), load);
        attempt("Unsafe.compareAndExchangeReference", y -> UNSAFE.compareAndExchangeReference(b, at, b.plain, y), load);
        attempt("Unsafe.getAndSetReference", y -> UNSAFE.getAndSetReference(b, at, y), load);
        Object[] a = array(10);
        attempt("Unsafe.putReference, element", y -> UNSAFE.putReference(a, element, y), () -> a[5]);
        var field = UnsafeStatics.class.getDeclaredField("value");
        UnsafeStatics.value = null;
        Object base = UNSAFE.staticFieldBase(field);
        long offset = UNSAFE.staticFieldOffset(field);
        attempt("Unsafe.putReference, static", y -> UNSAFE.putReference(base, offset, y), () -> UnsafeStatics.value);
        attempt("Unsafe.compareAndSetReference, static",
                y -> UNSAFE.compareAndSetReference(base, offset, UnsafeStatics.value, y), () -> UnsafeStatics.value);
    }

    static class HandleStatics { static Object value; }
    static final AtomicReferenceFieldUpdater<Box, Object> UPDATER =
        AtomicReferenceFieldUpdater.newUpdater(Box.class, Object.class, "ordered");

    static void handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle field = lookup.findVarHandle(Box.class, "plain", Object.class),
                  element = MethodHandles.arrayElementVarHandle(Object[].class),
                  fixed = lookup.findStaticVarHandle(HandleStatics.class, "value", Object.class);
        Box b = box();
        Object[] a = array(10);
        Load load = () -> b.plain;
        attempt("VarHandle.set", y -> field.set(b, y), load);
        attempt("VarHandle.setVolatile", y -> field.setVolatile(b, y), load);
        attempt("VarHandle.setRelease", y -> field.setRelease(b, y), load);
        attempt("VarHandle.setOpaque", y -> field.setOpaque(b, y), load);
        attempt("VarHandle.compareAndSet", y -> field.compareAndSet(b, b.plain, y), load);
        attempt("VarHandle.compareAndExchange", y -> field.compareAndExchange(b, b.plain, y), load);
        attempt("VarHandle.getAndSet", y -> field.getAndSet(b, y), load);
        attempt("VarHandle.set, element", y -> element.set(a, 6, y), () -> a[6]);
        attempt("VarHandle.getAndSet, element", y -> element.getAndSet(a, 6, y), () -> a[6]);
        attempt("VarHandle.set, static", y -> fixed.set(y), () -> HandleStatics.value);
        attempt("VarHandle.getAndSet, static", y -> fixed.getAndSet(y), () -> HandleStatics.value);
        MethodHandle setter = lookup.findSetter(Box.class, "plain", Object.class),
                     fixedSetter = lookup.findStaticSetter(HandleStatics.class, "value", Object.class),
                     elementSetter = MethodHandles.arrayElementSetter(Object[].class);
        attempt("MethodHandle, setter", y -> setter.invoke(b, y), load);
        attempt("MethodHandle, static setter", y -> fixedSetter.invoke(y), () -> HandleStatics.value);
        attempt("MethodHandle, element setter", y -> elementSetter.invoke(a, 6, y), () -> a[6]);
        AtomicReference<Object> atomic = new AtomicReference<>();
        AtomicReferenceArray<Object> atomics = new AtomicReferenceArray<>(10);
        attempt("AtomicReference", atomic::set, atomic::get);
        attempt("AtomicReferenceArray", y -> atomics.getAndSet(4, y), () -> atomics.get(4));
        attempt("AtomicReferenceFieldUpdater", y -> UPDATER.getAndSet(b, y), () -> b.ordered);
        MutableCallSite mutable = new MutableCallSite(MethodType.methodType(Object.class));
        attempt("MutableCallSite",
                y
                -> mutable.setTarget(MethodHandles.constant(Object.class, y)),
                () -> mutable.dynamicInvoker().invoke());
        VolatileCallSite ordered = new VolatileCallSite(MethodType.methodType(Object.class));
        attempt("VolatileCallSite",
                y
                -> ordered.setTarget(MethodHandles.constant(Object.class, y)),
                () -> ordered.dynamicInvoker().invoke());
    }

    // ---- JNI and reflection -----------------------------------------------------------------------------------------

    static class NativeStatics { static Object plain; static volatile Object ordered; }
    static native void setField(Object holder, String name, Object v);
    static native void setStaticField(Class<?> c, String name, Object v);
    static native void setElement(Object[] a, int i, Object v);

    static void natives() throws Throwable {
        Box b = box();
        Object[] a = array(10);
        NativeStatics.plain = NativeStatics.ordered = null;
        attempt("SetObjectField", y -> setField(b, "plain", y), () -> b.plain);
        attempt("SetObjectField, volatile", y -> setField(b, "ordered", y), () -> b.ordered);
        attempt("SetStaticObjectField",
                y -> setStaticField(NativeStatics.class, "plain", y), () -> NativeStatics.plain);
        attempt("SetStaticObjectField, volatile",
                y -> setStaticField(NativeStatics.class, "ordered", y), () -> NativeStatics.ordered);
        attempt("SetObjectArrayElement", y -> setElement(a, 7, y), () -> a[7]);
    }

    static class Reflected { static Object value; }

    static void reflection() throws Throwable {
        Box b = box();
        Object[] a = array(10);
        Reflected.value = null;
        var field = Box.class.getDeclaredField("plain");
        var fixed = Reflected.class.getDeclaredField("value");
        var set = Box.class.getDeclaredMethod("set", Object.class);
        attempt("Field.set", y -> field.set(b, y), () -> b.plain);
        attempt("Field.set, static", y -> fixed.set(null, y), () -> Reflected.value);
        attempt("Array.set", y -> Array.set(a, 8, y), () -> a[8]);
        attempt("Method.invoke", y -> set.invoke(b, y), () -> b.plain);
    }

    // ---- what the library and the VM store by themselves ------------------------------------------------------------

    static class Stream implements Serializable {
        Object value;
        private void readObject(ObjectInputStream in) throws Exception {
            collect();
            in.defaultReadObject();
            collect();
        }
    }
    static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();
    static Object strong;

    /** Called between the making of a Reference and its constructor. */
    static Object youngAfterCollection(String name) {
        collect();
        return strong = new Young(name);
    }
    static void reference(Reference<Object> r, Object expected) {
        collect();
        System.out.println(((Young) expected).name() + ": " + r.refersTo(expected));
    }

    static void library() throws Throwable {
        Stream s = new Stream();
        s.value = new Young("deserialised");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(s);
        System.out.println(
            ((Stream) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject()).value);

        reference(new WeakReference<>(youngAfterCollection("WeakReference")), strong);
        reference(new SoftReference<>(youngAfterCollection("SoftReference")), strong);
        reference(new PhantomReference<>(youngAfterCollection("PhantomReference"), new ReferenceQueue<>()), strong);

        LOCAL.set(null);
        INHERITED.set(null);
        attempt("ThreadLocal", LOCAL::set, LOCAL::get);
        attempt("InheritableThreadLocal", y -> {
            INHERITED.set(y);
            Thread t = new Thread(() -> strong = INHERITED.get());
            t.start();
            t.join();
        }, () -> strong);
        attempt("lambda", y -> {
            Supplier<Object> lambda = () -> y;
            strong = lambda;
        }, () -> ((Supplier<?>) strong).get());
        try (InputStream in = OldToYoung.class.getResourceAsStream("OldToYoung$WithData.class")) {
            byte[] code = in.readAllBytes();
            attempt("class data",
                    y
                    -> strong = MethodHandles.lookup()
                                    .defineHiddenClassWithClassData(code, y, false)
                                    .lookupClass()
                                    .getMethod("data"),
                    () -> ((java.lang.reflect.Method) strong).invoke(null));
        }

        Throwable old = new Exception("old");
        collect();
        old.fillInStackTrace();
        collect();
        System.out.println("fillInStackTrace: " + old.getStackTrace()[0].getMethodName());
        Class<?> c = Class.forName("OldToYoung$NamedLate", false, OldToYoung.class.getClassLoader());
        collect();
        String name = c.getName();
        collect();
        System.out.println(name == c.getName() ? "name of a class: kept" : "another name");
        deep(60);
        Object[][][] arrays = new Object[7][8][9];
        arrays[6][7][8] = new Young("multianewarray");
        collect();
        System.out.println(arrays[6][7][8]);
    }
    static class WithData {
        public static Object data() throws Exception {
            return MethodHandles.classData(MethodHandles.lookup(), "_", Object.class);
        }
    }
    static class NamedLate {}

    static void deep(int n) {
        if (n > 0) {
            deep(n - 1);
            return;
        }
        int[] seen = new int[1];
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f -> {
            if (seen[0]++ % 7 == 0) collect();
            strong = f.getMethodName() + f.getMethodType();
        });
        System.out.println("StackWalker: " + (seen[0] > 60) + ", " + strong);
    }

    public static void main(String[] args) throws Throwable {
        System.load(args[0]);
        instructions();
        copies();
        unsafe();
        handles();
        natives();
        reflection();
        library();
    }
}
