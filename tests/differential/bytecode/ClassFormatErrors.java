// Broken class files: truncated, wrong magic, versions, constants, names, flags, duplicate members; the error and its
// message.
public class ClassFormatErrors {
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;
    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
    }
    static int n;
    static void t(String name, byte[] b) {
        try {
            Class<?> c = new Loader().define(name, b);
            System.out.println(++n + " defined " + c.getName());
        } catch (Throwable e) {
            System.out.println(++n + " " + e);
        }
    }
    static void t(ClassAssembler a) { t(null, a.toBytes()); }
    static byte[] patched(int at, int... values) {
        byte[] b = new ClassAssembler(52, "Good").toBytes();
        for (int i = 0; i < values.length; i++) b[at + i] = (byte) values[i];
        return b;
    }

    public static void main(String[] args) {
        byte[] good = new ClassAssembler(52, "Good").constructor("java/lang/Object").toBytes();
        t("Good", good);
        t(null, good);
        t("Other", good);
        t("bad/Name", good);
        t("java.lang.Good", new ClassAssembler(52, "java/lang/Good").toBytes());
        t(null, new byte[0]);
        t(null, new byte[] {(byte) 0xCA, (byte) 0xFE});
        for (int cut : new int[] {5, 8, 10, 14, 30, good.length - 1}) t(null, java.util.Arrays.copyOf(good, cut));
        t(null, java.util.Arrays.copyOf(good, good.length + 1));
        t(null, patched(0, 0));
        t(null, patched(6, 0, 200));
        t(null, patched(4, 0, 5));
        t(null, patched(4, 255, 255));
        t(null, patched(6, 0, 44));
        t(null, patched(8, 0, 0));
        t(null, patched(8, 0, 99));
        t(null, patched(10, 99));
        t(null, patched(10, 2));
        t(null, patched(13, 0xC0));
        t(new ClassAssembler(52, "1;2"));
        t(new ClassAssembler(52, "a.b"));
        t(new ClassAssembler(52, "[I"));
        t(new ClassAssembler(52, ""));
        t(new ClassAssembler(52, "a//b"));
        t(new ClassAssembler(52, P, "NoSuper", null));
        t(new ClassAssembler(52, P | ClassAssembler.INTERFACE, "Concrete", "java/lang/Object"));
        t(new ClassAssembler(52, P | ClassAssembler.FINAL | ClassAssembler.ABSTRACT, "Both", "java/lang/Object"));
        t(new ClassAssembler(52, P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT, "Iface", "java/lang/String"));
        t(new ClassAssembler(52, P, "Twice", "java/lang/Object", "java/lang/Runnable", "java/lang/Runnable"));
        t(new ClassAssembler(52, "F").field(P, "x", "I").field(P, "x", "I"));
        t(new ClassAssembler(52, "F").field(P, "x", "I").field(P, "x", "J"));
        t(new ClassAssembler(52, "F").field(P, "x", "V"));
        t(new ClassAssembler(52, "F").field(P, "x", "Ljava/lang/String"));
        t(new ClassAssembler(52, "F").field(P, "a;b", "I"));
        t(new ClassAssembler(52, "F").field(P | ClassAssembler.PRIVATE, "x", "I"));
        t(new ClassAssembler(52, "F").field(ClassAssembler.FINAL | ClassAssembler.VOLATILE, "x", "I"));
        t(new ClassAssembler(52, "F").field(S, "x", "I", "\"text\""));
        t(new ClassAssembler(52, "F").field(S, "x", "J", "5"));
        t(new ClassAssembler(52, "M").method(P, "m", "()V", 0, 1, "return").method(P, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "()V"));
        t(new ClassAssembler(52, "M").method(P | ClassAssembler.ABSTRACT, "m", "()V"));
        t(new ClassAssembler(52, "M").method(P | ClassAssembler.ABSTRACT, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P | ClassAssembler.NATIVE, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P | ClassAssembler.ABSTRACT | ClassAssembler.FINAL, "m", "()V"));
        t(new ClassAssembler(52, "M").method(P | ClassAssembler.PROTECTED, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "(V)V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "()", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "(I", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "<bad>", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(S, "<init>", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "<init>", "()I", 1, 1, "iconst_0\n ireturn"));
        t(new ClassAssembler(52, "M").method(P, "<clinit>", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "()V", 0, 0, "return"));
        t(new ClassAssembler(52, "M").method(P, "m", "()V", 0, 1, ""));
        t(new ClassAssembler(52, "M").method(P, "m", "()V", 0, 1, "from:\n return\n to:\n .catch any to from from"));
        t(new ClassAssembler(52, P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT, "I", "java/lang/Object")
                .method(P | ClassAssembler.FINAL, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(51, P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT, "I", "java/lang/Object")
                .method(P, "m", "()V", 0, 1, "return"));
        t(new ClassAssembler(52, P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT, "I", "java/lang/Object")
              .field(P, "x", "I"));
        t(new ClassAssembler(52, "A").attribute("SourceFile", new byte[1]));
        t(new ClassAssembler(52, "A").attribute("SourceFile", new byte[] {0, 99}));
        t(new ClassAssembler(52, "A").attribute("InnerClasses", new byte[] {0, 1}));
        t(new ClassAssembler(52, "A")
              .attribute("Signature", new byte[] {0, 1})
              .attribute("Signature", new byte[] {0, 1}));
        t(new ClassAssembler(52, "A").attribute("BootstrapMethods", new byte[] {0, 0, 0}));
        t(new ClassAssembler(52, "A").attribute("Unknown", new byte[3]));
        t(new ClassAssembler(61, "A").attribute("Record", new byte[] {0, 0}));
        t(new ClassAssembler(61, ClassAssembler.FINAL | ClassAssembler.SUPER, "A", "java/lang/Record")
              .attribute("Record", new byte[] {0, 0}));
        t(new ClassAssembler(61, "A").attribute("PermittedSubclasses", new byte[] {0, 0}));
        t(new ClassAssembler(61, ClassAssembler.FINAL | ClassAssembler.SUPER, "A", "java/lang/Object")
                .attribute("PermittedSubclasses", new byte[] {0, 0}));
        t(new ClassAssembler(55, "A")
              .attribute("NestHost", new byte[] {0, 2})
              .attribute("NestMembers", new byte[] {0, 0}));
        t(new ClassAssembler(53, 0x8000, "module-info", null));
        t(new ClassAssembler(52, "Big").method(P, "m", "()V", 0, 1, ".repeat 66000 nop\n return"));
        StringBuilder args256 = new StringBuilder("(");
        for (int i = 0; i < 128; i++) args256.append("J");
        t(new ClassAssembler(52, "Args").method(S, "m", args256 + ")V", 0, 300, "return"));
    }
}
