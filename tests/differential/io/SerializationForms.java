// Serialization: graphs with cycles, custom forms, replace and resolve, externalizable, enums, records, lambdas,
// filters, versions, failures.
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class SerializationForms {
    static class Base {
        int b = 1;
        Base() { System.out.println("Base()"); }
    }
    static class Node extends Base implements Serializable {
        private static final long serialVersionUID = 5;
        Node next;
        String name;
        transient int skipped = 9;
        int[][] grid = {{1}, {2, 3}};
        double d = Math.PI;
        Object self = this;
        char c = 'ü';
        boolean z = true;
        final List<Object> list = new ArrayList<>(List.of(1, "x"));
        Node(String n) {
            name = n;
            b = 77;
        }
    }
    static class Custom implements Serializable {
        transient int secret;
        int v = 3;
        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(secret * 2);
            o.writeUTF("extra");
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.defaultReadObject();
            secret = i.readInt() / 2;
            System.out.println(i.readUTF());
        }
    }
    static class Single implements Serializable {
        static final Single ONE = new Single();
        private Object readResolve() { return ONE; }
    }
    static class Proxied implements Serializable {
        final int v;
        Proxied(int v) { this.v = v; }
        private Object writeReplace() { return new Form(v); }
        record Form(int v) implements Serializable {
            private Object readResolve() { return new Proxied(v + 1); }
        }
    }
    public static class Ext implements Externalizable {
        int x;
        public Ext() { System.out.println("Ext()"); }
        public void writeExternal(ObjectOutput o) throws IOException {
            o.writeInt(x);
            o.writeObject("ext");
        }
        public void readExternal(ObjectInput i) throws IOException, ClassNotFoundException {
            x = i.readInt();
            System.out.println(i.readObject());
        }
    }
    enum En {
        A,
        B {
            void x() {}
        }
    }
    record Rec(int a, String b, Rec r) implements Serializable {
        Rec { System.out.println("Rec " + a); }
    }
    static class NotSer {}
    static class Holder implements Serializable {
        Object o;
        Holder(Object o) { this.o = o; }
    }
    static class Fields implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("virtual", String.class)};
        int real = 4;
        private void writeObject(ObjectOutputStream o) throws IOException {
            o.putFields().put("virtual", "v" + real);
            o.writeFields();
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            real = Integer.parseInt(((String) i.readFields().get("virtual", "")).substring(1));
        }
    }
    interface SerFn extends Function<Integer, Integer>, Serializable {}
    static byte[] write(Object o) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(b)) {
            out.writeObject(o);
        }
        return b.toByteArray();
    }
    static <T> T read(byte[] b) throws IOException, ClassNotFoundException {
        return (T) new ObjectInputStream(new ByteArrayInputStream(b)).readObject();
    }
    static <T> T copy(T o) throws IOException, ClassNotFoundException {
        byte[] b = write(o);
        System.out.print(b.length + "/" + Arrays.hashCode(b) + " ");
        return read(b);
    }
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e.toString().replaceAll("Lambda.*", "Lambda"));
        }
    }

    public static void main(String[] args) throws Exception {
        Node a = new Node("a"), b = new Node("b");
        a.next = b;
        b.next = a;
        Node c = copy(a);
        System.out.println(c.name + c.next.name + (c.next.next == c) + (c.self == c) + c.skipped + c.b
                           + Arrays.deepToString(c.grid) + c.d + c.z + (int) c.c + c.list);
        Custom k = new Custom();
        k.secret = 21;
        System.out.println(copy(k).secret);
        System.out.println((copy(Single.ONE) == Single.ONE) + " " + copy(new Proxied(5)).v + " " + copy(En.B)
                           + (copy(En.A) == En.A));
        Ext e = new Ext();
        e.x = 8;
        System.out.println(copy(e).x);
        System.out.println(copy(new Rec(1, "r", new Rec(2, null, null))));
        System.out.println(copy(new Fields()).real);
        int cap = 10;
        SerFn f = x -> x + cap;
        SerFn g = read(write(f));
        System.out.println(g.apply(5) + " " + (g instanceof SerFn));
        Supplier<Integer> s = (Supplier<Integer> & Serializable) "four" ::length;
        System.out.println(((Supplier<Integer>) read(write(s))).get());
        for (Object o : new Object[] {new int[] {1, 2},
                                      new String[] {"x", null},
                                      "long ".repeat(20000).length(),
                                      new HashMap<>(Map.of(1, "a")),
                                      new TreeMap<>(Map.of("k", List.of(1))),
                                      new Date(0),
                                      new java.math.BigInteger("123456789012345678901234567890"),
                                      int.class,
                                      String[].class,
                                      En.class,
                                      Thread.State.NEW,
                                      new LinkedList<>(List.of(1)),
                                      List.of(1, 2),
                                      java.time.LocalDate.EPOCH,
                                      new StringBuilder("sb"),
                                      Locale.US,
                                      new BitSet(3),
                                      Collections.unmodifiableList(List.of("u")),
                                      5L,
                                      'c',
                                      null}) {
            Object r = copy(o);
            System.out.println(r instanceof Object[] x ? Arrays.toString(x)
                               : r instanceof int[] x  ? Arrays.toString(x)
                                                       : r);
        }
        InvocationHandler h = (InvocationHandler & Serializable) (p, m, x) -> "proxied " + m.getName();
        Callable1 p = (Callable1) Proxy.newProxyInstance(SerializationForms.class.getClassLoader(),
                                                         new Class<?>[] {Callable1.class}, h);
        System.out.println(((Callable1) read(write(p))).call());
        t(() -> write(new NotSer()));
        t(() -> write(new Holder(new NotSer())));
        t(() -> write(new Holder((Runnable) () -> {})));
        t(() -> read(new byte[] {1, 2, 3, 4}));
        t(() -> read(Arrays.copyOf(write("truncated text"), 12)));
        t(() -> {
            byte[] w = write(new Node("v"));
            int at =
                new String(w, "ISO-8859-1").indexOf("SerializationForms$Node") + "SerializationForms$Node".length();
            w[at + 7] = 6;
            return read(w);
        });
        t(() -> {
            String n = new String(write(new Custom()), "ISO-8859-1")
                           .replace("SerializationForms$Custom", "SerializationForms$Missin");
            return read(n.getBytes("ISO-8859-1"));
        });
        ObjectInputStream filtered = new ObjectInputStream(new ByteArrayInputStream(write(new Holder(new Custom()))));
        filtered.setObjectInputFilter(ObjectInputFilter.Config.createFilter("!SerializationForms$Custom;maxdepth=5"));
        t(filtered::readObject);
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        ObjectOutputStream oo = new ObjectOutputStream(bo);
        int[] shared = {1};
        oo.writeObject(shared);
        shared[0] = 2;
        oo.writeObject(shared);
        oo.reset();
        oo.writeObject(shared);
        oo.writeUnshared(shared);
        oo.writeInt(7);
        oo.flush();
        ObjectInputStream oi = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray()));
        int[] x1 = (int[]) oi.readObject(), x2 = (int[]) oi.readObject(), x3 = (int[]) oi.readObject();
        System.out.println((x1 == x2) + " " + (x1 == x3) + x3[0] + ((int[]) oi.readUnshared())[0] + oi.readInt());
        t(oi::readObject);
        System.out.println(
            ObjectStreamClass.lookup(Node.class) + " " + ObjectStreamClass.lookup(Custom.class).getFields().length
            + ObjectStreamClass.lookup(NotSer.class) + ObjectStreamClass.lookup(Rec.class).getSerialVersionUID());
        Object chain = null;
        for (int i = 0; i < 300; i++) chain = new Holder(chain);
        int n = 0;
        for (Holder q = (Holder) read(write(chain)); q != null; q = (Holder) q.o) n++;
        System.out.println(n);
    }
    public interface Callable1 {
        String call();
    }
}
