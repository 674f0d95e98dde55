// What a class file's version allows and how it is verified: 45 to 50 by data flow, and the features that came later.
// JVMS 4.1, 4.9, 4.10.2.
import java.util.LinkedHashMap;
import java.util.Map;

public class OldVersions {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final String END = "\n ldc \"fine\"\n areturn";
    static final Map<String, String> CODES = new LinkedHashMap<>();
    static {
        Map<String, String> c = CODES;
        c.put("subroutine", "jsr S" + END + "\n S:\n astore_0\n ret 0");
        c.put("subroutine twice", "jsr S\n jsr S" + END + "\n S:\n astore_0\n ret 0");
        c.put("subroutine in subroutine", "jsr S" + END + "\n S:\n astore_0\n jsr R\n ret 0\n R:\n astore_1\n ret 1");
        c.put("recursive subroutine", "jsr S" + END + "\n S:\n astore_0\n jsr S\n ret 0");
        c.put("return address used twice", "jsr S" + END + "\n S:\n astore_0\n aload_0\n pop\n ret 0");
        c.put("return address returned", "jsr S" + END + "\n S:\n areturn");
        c.put("return address thrown", "jsr S" + END + "\n S:\n athrow");
        c.put("return address compared", "jsr S" + END + "\n S:\n ifnull S" + END);
        c.put("return address as argument",
            "jsr S" + END
                + "\n S:\n invokestatic java/lang/String.valueOf (Ljava/lang/Object;)Ljava/lang/String;\n areturn");
        c.put("ret of an int", "iconst_0\n istore_0\n ret 0");
        c.put("ret of a reference", "aconst_null\n astore_0\n ret 0");
        c.put("ret of nothing", "ret 3");
        c.put("ret outside", "jsr S\n ret 0\n S:\n astore_0\n ret 0");
        c.put("subroutine falls out", "jsr S" + END + "\n S:\n pop" + END);
        c.put("subroutine leaves a local",
            "jsr S\n iload_1\n pop" + END + "\n S:\n astore_0\n iconst_1\n istore_1\n ret 0");
        c.put("subroutine spoils a local",
            "iconst_1\n istore_1\n jsr S\n iload_1\n pop" + END + "\n S:\n astore_0\n fconst_1\n fstore_1\n ret 0");
        c.put("subroutine spares a local",
            "iconst_1\n istore_1\n jsr S\n iload_1\n pop\n fconst_1\n fstore_1\n jsr S\n fload_1\n pop" + END
                + "\n S:\n astore_0\n ret 0");
        c.put("merge of two types",
            "iconst_0\n ifeq A\n ldc \"x\"\n goto B\n A:\n aconst_null\n checkcast [I\n B:\n areturn");
        c.put("merge, then method of one",
            "iconst_0\n ifeq A\n ldc \"x\"\n goto B\n A:\n new Own\n dup\n invokespecial Own.<init> ()V\n B:\n"
                + " invokevirtual java/lang/String.length ()I\n pop" + END);
        c.put("merge, then interface",
            "iconst_0\n ifeq A\n ldc \"x\"\n goto B\n A:\n new Own\n dup\n invokespecial Own.<init> ()V\n B:\n"
                + " invokeinterface java/lang/Runnable.run ()V" + END);
        c.put("merge to top",
            "iconst_0\n ifeq A\n ldc \"x\"\n astore_1\n goto B\n A:\n iconst_1\n istore_1\n B:\n nop" + END);
        c.put("merge to top, used",
            "iconst_0\n ifeq A\n ldc \"x\"\n astore_1\n goto B\n A:\n iconst_1\n istore_1\n B:\n aload_1\n areturn");
        c.put("stack depths differ", "iconst_0\n ifeq A\n ldc \"x\"\n A:\n nop" + END);
        c.put("stack types differ", "iconst_0\n ifeq A\n iconst_0\n goto B\n A:\n fconst_0\n B:\n pop" + END);
        c.put("loop that grows the stack", "A:\n iconst_0\n goto A");
        c.put("unreachable nonsense", "ldc \"fine\"\n areturn\n iadd\n fadd\n areturn");
        c.put("unreachable fall through the end", "ldc \"fine\"\n areturn\n nop");
        c.put("fall through the end", "nop");
        c.put("ldc of a class", "ldc class Own\n pop" + END);
        c.put("ldc of a method type", "ldc type ()V\n pop" + END);
        c.put("ldc of a handle", "ldc handle 6 java/lang/System.gc ()V\n pop" + END);
        c.put("ldc of a dynamic constant", "ldc dynamic 0 x I\n pop" + END);
        c.put("invokedynamic", "invokedynamic 0 x ()V" + END);
        c.put("static of an interface", "invokestatic interface Face.sm ()V" + END);
        c.put("static of an interface by Methodref", "invokestatic Face.sm ()V" + END);
        c.put("default method", "new Own\n dup\n invokespecial Own.<init> ()V\n invokeinterface Face.dm ()V" + END);
        c.put(
            "default method by class", "new Own\n dup\n invokespecial Own.<init> ()V\n invokevirtual Own.dm ()V" + END);
        c.put("private of an interface",
            "new Own\n dup\n invokespecial Own.<init> ()V\n invokeinterface Face.pm ()V" + END);
        c.put("Object's method by invokeinterface", "ldc \"x\"\n invokeinterface Face.hashCode ()I\n pop" + END);
        c.put("private of a nestmate",
            "new Own\n dup\n invokespecial Own.<init> ()V\n invokevirtual Own.hidden ()V" + END);
        c.put("private of a nestmate by invokespecial",
            "new Own\n dup\n invokespecial Own.<init> ()V\n invokespecial Own.hidden ()V" + END);
        c.put("own private by invokevirtual",
            "new User\n dup\n invokespecial User.<init> ()V\n invokevirtual User.hidden ()V" + END);
        c.put("interface in a class's place",
            "ldc \"x\"\n astore_0\n aload_0\n invokestatic User.run (Ljava/lang/Runnable;)V" + END);
        c.put("interface in a field", "ldc \"x\"\n putstatic User.r Ljava/lang/Runnable;" + END);
        c.put("wide_goto", "goto_w A\n A:\n nop" + END);
    }

    static void codes(int version) {
        CODES.forEach((name, code) -> {
            ClassAssembler user = Crafted.plain(version, "User")
                                      .field(PU | ST, "r", "Ljava/lang/Runnable;")
                                      .method(PU | ST, "run", "(Ljava/lang/Runnable;)V", 0, 1, "return")
                                      .method(Crafted.PRIVATE, "hidden", "()V", 0, 1, "return");
            if (name.contains("dynamic")) user.bootstrap("handle 6 java/lang/System.gc ()V");
            Crafted.go(user, code);
            ClassAssembler own = Crafted.plain(version, "Own", "java/lang/Object", "Face", "java/lang/Runnable")
                                     .method(PU, "run", "()V", 0, 1, "return")
                                     .method(Crafted.PRIVATE, "hidden", "()V", 0, 1, "return");
            if (name.contains("nestmate")) {
                own.attribute("NestMembers", ClassAssembler.u2s(1, own.type("User")));
                user.attribute("NestHost", ClassAssembler.u2s(user.type("Own")));
            }
            ClassAssembler face = Crafted.iface(version, "Face");
            if (name.contains("of an interface") || name.startsWith("default"))
                face = face.method(PU | ST, "sm", "()V", 0, 0, "return")
                           .method(PU, "dm", "()V", 0, 1, "return")
                           .method(Crafted.PRIVATE, "pm", "()V", 0, 1, "return");
            Crafted.row(name + "/" + version, user, own, face);
        });
    }

    /** Declarations that a version does not know, or has not yet checked. */
    static void declarations(int version) {
        String v = "/" + version;
        Crafted.row("static initializer with arguments" + v,
            Crafted.plain(version, "User").method(ST, "<clinit>", "(I)V", 0, 1, "return"));
        Crafted.row("initializer that is not static" + v,
            Crafted.plain(version, "User").method(PU, "<clinit>", "()V", 0, 1, "return"));
        Crafted.row("constructor with a result" + v,
            Crafted.plain(version, "User").method(PU, "<init>", "()I", 1, 1, "iconst_0\n ireturn"));
        Crafted.row("static constructor" + v,
            Crafted.type(version, PU, "User", "java/lang/Object").method(ST, "<init>", "()V", 1, 1, "return"));
        Crafted.row("constructor of an interface" + v,
            Crafted.iface(version, "User").method(PU, "<init>", "()V", 1, 1, "return"));
        Crafted.row(
            "sealed" + v, Crafted.plain(version, "User", "Base"), permits(Crafted.plain(version, "Base"), "Other"));
        Crafted.row("sealed for us" + v, Crafted.plain(version, "User", "Base"),
            permits(Crafted.plain(version, "Base"), "User"));
        Crafted.row("sealed interface" + v, Crafted.plain(version, "User", "java/lang/Object", "Base"),
            permits(Crafted.iface(version, "Base"), "Other"));
        Crafted.row("module flag" + v, Crafted.type(version, 0x8000, "User", "java/lang/Object"));
        Crafted.row("interface without ABSTRACT" + v,
            Crafted.type(version, PU | Crafted.INTERFACE, "User", "java/lang/Object"));
        Crafted.row("annotation without INTERFACE" + v, Crafted.type(version, PU | 0x2000, "User", "java/lang/Object"));
        Crafted.row("name with a semicolon" + v, Crafted.plain(version, "Us;er"));
        Crafted.row("name with a dot" + v, Crafted.plain(version, "Us.er"));
        Crafted.row("method name with <" + v, Crafted.plain(version, "User").method(PU, "a<b", "()V", 0, 1, "return"));
        Crafted.row(
            "method name with a space" + v, Crafted.plain(version, "User").method(PU, "a b", "()V", 0, 1, "return"));
        Crafted.row("field name with a bracket" + v, Crafted.plain(version, "User").field(PU, "a[b", "I"));
        Crafted.row("method over 255 arguments" + v,
            Crafted.plain(version, "User")
                .method(PU, "m",
                    "("
                        + "J".repeat(128) + ")V",
                    0, 300, "return"));
        Crafted.row("method with 255 arguments" + v,
            Crafted.plain(version, "User")
                .method(PU, "m",
                    "("
                        + "J".repeat(127) + ")V",
                    0, 300, "return"));
        Crafted.row("static method with 256 arguments" + v,
            Crafted.plain(version, "User")
                .method(PU | ST, "m",
                    "("
                        + "J".repeat(128) + ")V",
                    0, 300, "return"));
        Crafted.row("too few locals" + v, Crafted.plain(version, "User").method(PU, "m", "(IJ)V", 0, 3, "return"));
        Crafted.row("final method overridden" + v,
            Crafted.plain(version, "User", "Base").method(PU, "m", "()V", 0, 1, "return"),
            Crafted.plain(version, "Base").method(PU | Crafted.FINAL, "m", "()V", 0, 1, "return"));
        Crafted.row("same method twice" + v,
            Crafted.plain(version, "User")
                .method(PU, "m", "()V", 0, 1, "return")
                .method(PU, "m", "()V", 0, 1, "return"));
        Crafted.row("same field twice" + v, Crafted.plain(version, "User").field(PU, "f", "I").field(PU, "f", "I"));
        Crafted.row("same interface twice" + v,
            Crafted.plain(version, "User", "java/lang/Object", "java/lang/Runnable", "java/lang/Runnable"));
    }

    static ClassAssembler permits(ClassAssembler c, String name) {
        return c.attribute("PermittedSubclasses", ClassAssembler.u2s(1, c.type(name)));
    }

    public static void main(String[] args) {
        for (int version : new int[] {45, 46, 48, 49, 50, 51, 52, 55, 61}) {
            Crafted.section(version < 51 ? "4.10.2" : "4.9");
            codes(version);
            Crafted.section("4.1");
            declarations(version);
        }
        for (int version :
            new int[] {0, 44, 45 | 65535 << 16, 56 | 1 << 16, 56 | 65535 << 16, 61 | 65535 << 16, 70, 1000})
            Crafted.row("version " + (version & 65535) + "." + (version >>> 16), Crafted.plain(version, "User"));
        Crafted.end();
    }
}
