import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.ProtectionDomain;

// A small object graph with known references, indices and values for the agent heapgraph.
public class HeapGraph {
    static native void tag(Object o, long tag);
    static native long tagOf(Object o);
    static native void follow(Object from, int filter, Class<?> klass);
    static native void roots(Object global, long thread);
    static native void outer(Object global, long thread);
    static void between(Object global, long thread) { roots(global, thread); }
    static native void survey(Object array);
    static native void aborts();
    static native void values(Object from, int filter, Class<?> klass);
    static native long iterate(int filter, Class<?> klass, boolean values);
    static native void control(Class<?> klass);
    static native void tagged(long low, long high);
    static native void collect(int expected);
    static native int classReferences(Object from);

    // the worked example of the specification
    interface I0 { int p = 10; }
    interface I1 extends I0 { int x = 11; }
    interface I2 extends I0 { int y = 12; }
    static class C1 implements I1 { Object a; int b = 13; }
    static class C2 extends C1 implements I2 { Object q; long r = 14; }

    static class Kinds {
        boolean z = true;
        byte b = -2;
        char c = 'x';
        short s = -300;
        int i = 70000;
        long j = 1L << 40;
        float f = 1.5f;
        double d = -2.25;
        static int counter = 42;
        static Object kept = new C1();
        Kinds self = this;
    }
    static class Gone { int filler; }

    static Object[] make() {
        C2 c2 = new C2();
        C1 c1 = new C1();
        c2.a = c1;
        c2.q = c2;
        c1.a = new int[] { 5, 6, 7 };
        Kinds kinds = new Kinds();
        String text = "gr\u00fc\u00dfe \u4e16\u754c", latin = "plain";
        Object[] array = { c2, null, kinds, text, new long[0], latin, new C1[] { c1, null } };
        tag(array, 1);
        tag(c2, 2);
        tag(c1, 3);
        tag(c1.a, 4);
        tag(kinds, 5);
        tag(text, 6);
        tag(latin, 7);
        tag(array[6], 8);
        tag(array[4], 9);
        tag(Kinds.kept, 20);
        tag(C1.class, 101);
        tag(C2.class, 102);
        tag(Kinds.class, 105);
        tag(Object[].class, 110);
        tag(String.class, 111);
        tag(int[].class, 112);
        tag(C1[].class, 113);
        tag(I1.class, 121);
        return array;
    }

    static class Dead { }

    /** A collection may come in between: then it is tried again. */
    static boolean deadAreSeen() {
        for (int tries = 0; tries < 100; tries++) {
            for (int i = 0; i < 100; i++) new Dead();
            if (iterate(0, Dead.class, false) >= 100) return true;
        }
        return false;
    }

    static class Signed { }

    /** Gives a class of its own loader a domain and signers. */
    static class Signer extends ClassLoader {
        Class<?> define(ProtectionDomain domain, Object[] signers) throws Exception {
            try (InputStream in = HeapGraph.class.getResourceAsStream("HeapGraph$Signed.class")) {
                byte[] file = in.readAllBytes();
                Class<?> c = defineClass("HeapGraph$Signed", file, 0, file.length, domain);
                setSigners(c, signers);
                return Class.forName(c.getName(), true, this);
            }
        }
    }

    /** What a class refers to besides its fields and supertypes. */
    static void aboutClass() throws Exception {
        Signer loader = new Signer();
        ProtectionDomain domain = new ProtectionDomain(null, null);
        Object[] signers = {"signer"};
        Class<?> signed = loader.define(domain, signers);
        tag(signed, 130);
        tag(loader, 131);
        tag(domain, 132);
        tag(signers, 133);
        System.out.println("loader, domain and signers:");
        follow(signed, 0, null);
        for (Object o : new Object[] {signed, loader, domain, signers}) tag(o, 0);
    }

    static void makeGarbage() {
        for (int i = 1; i <= 100; i++) tag(new Gone(), 1000 + i);
    }

    /**
     * A variable handle of a static field refers to its class for the place of the fields too, and to nothing that is
     * none of Java's.
     */
    static void staticHandles() throws ReflectiveOperationException {
        VarHandle counter = MethodHandles.lookup().findStaticVarHandle(Kinds.class, "counter", int.class);
        VarHandle kept = MethodHandles.lookup().findStaticVarHandle(Kinds.class, "kept", Object.class);
        int value = (int) counter.get();
        Object object = kept.get();
        System.out.println("a static handle: " + value + " " + (object == Kinds.kept) + " " + classReferences(counter)
                           + " " + classReferences(kept));
    }

    @SuppressWarnings("deprecation")                 // Thread.threadId() is newer than 17
    public static void main(String[] args) throws Exception {
        Object[] array = make();
        staticHandles();
        System.out.println("from the array:");
        follow(array, 0, null);
        System.out.println("tagged objects only, instances of C1:");
        follow(array, 8, C1.class);
        System.out.println("objects of tagged classes filtered out:");
        follow(array, 0x10, null);
        System.out.println("objects of classes without a tag filtered out:");
        follow(array, 0x20, null);
        System.out.println("an interface as class:");
        follow(array, 0, I1.class);
        System.out.println("cut at the object tagged 999:");
        tag(array[0], 999);
        follow(array, 0, null);
        tag(array[0], 2);
        System.out.println("values:");
        values(array, 8, null);
        for (int filter = 4; filter <= 0x20; filter *= 2) {
            System.out.println("values, filter " + filter + ":");
            values(array, filter, null);
        }
        System.out.println("values of a class:");
        values(array, 0, C1.class);
        System.out.println("roots:");
        tag(Thread.currentThread(), 500);
        roots(array[2], Thread.currentThread().getId());
        outer(array[2], Thread.currentThread().getId());
        survey(array);
        aborts();
        aboutClass();
        System.out.println("iterate C1: " + iterate(0, C1.class, false));
        System.out.println("iterate tagged with values: " + iterate(8, null, true));
        System.out.println("values of objects of classes without a tag filtered out: "
                           + (iterate(0x20 | 8, null, true) > 0));
        System.out.println("iterate C2, tagged filtered out: " + iterate(4, C2.class, false));
        long all = iterate(0, null, false), untagged = iterate(4, null, false);
        System.out.println("all more than untagged: " + (all > untagged) + ", many: " + (all > 5000));
        tagged(3, 6);
        tagged(7777, 8888);
        control(C1.class);
        System.out.println("tags afterwards: " + tagOf(array[0]) + " " + tagOf(((C2) array[0]).a) + " "
                           + tagOf(array[2]));
        makeGarbage();
        System.out.println("the dead are there until they are freed: " + deadAreSeen());
        collect(100);
        System.out.println("tag of a live object after collections: " + tagOf(array));
        tag(array, 0);
        System.out.println("untagged: " + tagOf(array));
        tag(array, Long.MIN_VALUE);
        tag(array[2], -1);
        tag(array[3], 1L << 50);
        System.out.println("large tags: " + tagOf(array) + " " + tagOf(array[2]) + " " + tagOf(array[3]));
    }
}
