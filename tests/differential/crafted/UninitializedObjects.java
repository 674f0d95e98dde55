// Objects between `new` and their constructor, and `this` inside one. JVMS 4.9.2, 4.10.1.4, 4.10.1.9 (invokespecial,
// putfield, return).
import java.util.LinkedHashMap;
import java.util.Map;

public class UninitializedObjects {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final String SUPER_CALL = "aload_0\n invokespecial Base.<init> ()V\n";
    static final Map<String, String> CONSTRUCTORS = new LinkedHashMap<>(), CODES = new LinkedHashMap<>();
    static {
        Map<String, String> c = CONSTRUCTORS;
        c.put("super", SUPER_CALL + "return");
        c.put("this", "aload_0\n iconst_1\n invokespecial User.<init> (I)V\n return");
        c.put("no call", "return");
        c.put("call twice", SUPER_CALL + SUPER_CALL + "return");
        c.put("grandparent", "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
        c.put("stranger", "aload_0\n invokespecial Other.<init> ()V\n return");
        c.put("on another object", "new Base\n dup\n invokespecial Base.<init> ()V\n pop\n return");
        c.put("on initialised this", SUPER_CALL + SUPER_CALL + "return");
        c.put("own field before", "aload_0\n iconst_1\n putfield User.f I\n " + SUPER_CALL + "return");
        c.put("inherited field before", "aload_0\n iconst_1\n putfield User.b I\n " + SUPER_CALL + "return");
        c.put("base field before", "aload_0\n iconst_1\n putfield Base.b I\n " + SUPER_CALL + "return");
        c.put("own static before", "iconst_1\n putstatic User.s I\n " + SUPER_CALL + "return");
        c.put("read before", "aload_0\n getfield User.f I\n pop\n " + SUPER_CALL + "return");
        c.put("method before", "aload_0\n invokevirtual User.m ()V\n " + SUPER_CALL + "return");
        c.put("special method before", "aload_0\n invokespecial Base.m ()V\n " + SUPER_CALL + "return");
        c.put(
            "as argument before", "aload_0\n invokestatic User.take (Ljava/lang/Object;)V\n " + SUPER_CALL + "return");
        c.put("stored in static", "aload_0\n putstatic User.o Ljava/lang/Object;\n " + SUPER_CALL + "return");
        c.put("stored in array",
            "iconst_1\n anewarray java/lang/Object\n iconst_0\n aload_0\n aastore\n " + SUPER_CALL + "return");
        c.put(
            "stored in own field", "aload_0\n aload_0\n putfield User.t Ljava/lang/Object;\n " + SUPER_CALL + "return");
        c.put("compared before", "aload_0\n aconst_null\n if_acmpeq X\n X:\n .frame same\n " + SUPER_CALL + "return");
        c.put("null test before", "aload_0\n ifnull X\n X:\n .frame same\n " + SUPER_CALL + "return");
        c.put("monitor before", "aload_0\n monitorenter\n aload_0\n monitorexit\n " + SUPER_CALL + "return");
        c.put("checkcast before", "aload_0\n checkcast User\n pop\n " + SUPER_CALL + "return");
        c.put("instanceof before", "aload_0\n instanceof User\n pop\n " + SUPER_CALL + "return");
        c.put("throw this", "aload_0\n athrow");
        c.put("throw instead", "aconst_null\n athrow");
        c.put("copies",
            "aload_0\n astore_1\n aload_0\n astore_2\n aload_1\n invokespecial Base.<init> ()V\n aload_2\n"
                + " invokevirtual User.m ()V\n return");
        c.put("copy only",
            "aload_0\n astore_1\n aconst_null\n astore_0\n aload_1\n invokespecial Base.<init> ()V\n return");
        c.put("lost", "aconst_null\n astore_0\n return");
        c.put("kept on the stack",
            "aload_0\n aload_0\n invokespecial Base.<init> ()V\n invokevirtual User.m ()V\n return");
        c.put("swapped",
            "aload_0\n new Base\n dup\n invokespecial Base.<init> ()V\n swap\n invokespecial Base.<init> ()V\n"
                + " pop\n return");
        c.put("endless", "X:\n .frame same\n goto X");
        c.put("branch over the call", "iconst_0\n ifeq X\n " + SUPER_CALL + "X:\n .frame same\n return");
        c.put("branch over, initialised at the join",
            "iconst_0\n ifeq X\n " + SUPER_CALL + "X:\n .frame full User |\n return");
        c.put("branch over, flag lost with local",
            "iconst_0\n ifeq X\n " + SUPER_CALL + "return\n X:\n .frame full top |\n return");
        c.put("branch over, no locals", "iconst_0\n ifeq X\n " + SUPER_CALL + "return\n X:\n .frame full |\n return");
        c.put("chopped this", "iconst_0\n ifeq X\n " + SUPER_CALL + "return\n X:\n .frame chop 1\n return");
        c.put("chopped this, thrown",
            "iconst_0\n ifeq X\n " + SUPER_CALL + "return\n X:\n .frame chop 1\n aconst_null\n athrow");
        c.put("chopped this, endless", "iconst_0\n ifeq X\n " + SUPER_CALL + "return\n X:\n .frame chop 1\n goto X");
        c.put("chopped other",
            "iconst_0\n istore_1\n iconst_0\n ifeq X\n .frame append int\n nop\n X:\n .frame chop 1\n " + SUPER_CALL
                + "return");
        c.put("chopped other, no call",
            "iconst_0\n istore_1\n iconst_0\n ifeq X\n nop\n Y:\n .frame append int\n nop\n X:\n .frame chop 1\n"
                + " return");
        c.put("chop behind the call",
            "iconst_0\n istore_1\n iconst_0\n ifeq X\n .frame append int\n nop\n X:\n .frame same\n " + SUPER_CALL
                + "iconst_0\n ifeq Y\n nop\n Y:\n .frame full User |\n return");
        c.put("this twice, chop one",
            "aload_0\n astore_1\n iconst_0\n ifeq X\n .frame append uninitializedThis\n nop\n X:\n .frame chop 1\n "
                + SUPER_CALL + "return");
        c.put("this twice, chop both",
            "aload_0\n astore_1\n iconst_0\n ifeq X\n .frame append uninitializedThis\n nop\n X:\n .frame chop 2\n "
                + "return");
        c.put("this twice, full with the copy",
            "aload_0\n astore_1\n iconst_0\n ifeq X\n nop\n X:\n .frame full top uninitializedThis |\n "
                + "aload_1\n invokespecial Base.<init> ()V\n return");
        c.put("append after the call",
            SUPER_CALL + "iconst_0\n istore_1\n iconst_0\n ifeq X\n nop\n X:\n .frame append int\n return");
        c.put("appended uninitializedThis after the call",
            SUPER_CALL + "iconst_0\n ifeq X\n nop\n X:\n .frame append uninitializedThis\n return");
        c.put("on the frame's stack",
            "aload_0\n iconst_0\n ifeq X\n X:\n .frame full uninitializedThis | uninitializedThis\n "
                + "invokespecial Base.<init> ()V\n return");
        c.put("only on the frame's stack",
            "aload_0\n iconst_0\n ifeq X\n X:\n .frame full top | uninitializedThis\n "
                + "invokespecial Base.<init> ()V\n return");
        c.put("loop before the call",
            "iconst_0\n istore_1\n X:\n .frame append int\n iinc 1 1\n iload_1\n iconst_3\n if_icmplt X\n " + SUPER_CALL
                + "return");
        c.put("loop over the call", "X:\n .frame same\n " + SUPER_CALL + "iconst_0\n ifne X\n return");
        c.put("same frame after the call", SUPER_CALL + "iconst_0\n ifeq X\n nop\n X:\n .frame same\n return");
        c.put("full frame after the call", SUPER_CALL + "iconst_0\n ifeq X\n nop\n X:\n .frame full User |\n return");
        String[][] handled = {{"rethrow", "athrow"}, {"return", "return"},
            {"endless", "H2:\n .frame full | \n goto H2"}, {"this in frame, return", "return"},
            {"call in handler", "pop\n aload_0\n invokespecial Base.<init> ()V\n return"},
            {"use in handler", "pop\n aload_0\n invokevirtual User.m ()V\n return"}};
        String[] locals = {"", "top", "uninitializedThis", "User", "java/lang/Object"};
        for (String[] h : handled)
            for (String l : locals)
                for (String covered : new String[] {"the call", "before", "behind", "all"}) {
                    String from = covered.equals("behind") ? SUPER_CALL + "F:\n nop\n T:\n"
                        : covered.equals("before")         ? "F:\n nop\n T:\n " + SUPER_CALL
                        : covered.equals("all")            ? "F:\n nop\n " + SUPER_CALL + "nop\n T:\n"
                                                           : "aload_0\n F:\n invokespecial Base.<init> ()V\n T:\n";
                    c.put("handler of " + covered + " with locals " + l + ", " + h[0],
                        from + "return\n H:\n .frame full " + l + " | java/lang/Throwable\n " + h[1]
                            + "\n .catch any F T H");
                }
        for (String l : new String[] {"uninitializedThis", "top", "User"})
            for (String e : new String[] {"athrow", "pop\n return"})
                c.put("handler of another constructor with " + l + ", " + e.charAt(0),
                    "F:\n new Base\n dup\n invokespecial Base.<init> ()V\n pop\n T:\n " + SUPER_CALL
                        + "return\n H:\n .frame full " + l + " | java/lang/Throwable\n " + e + "\n .catch any F T H");

        Map<String, String> m = CODES;
        String end = "\n ldc \"fine\"\n areturn", made = "new Base\n dup\n invokespecial Base.<init> ()V\n";
        m.put("plain", made + "pop" + end);
        m.put("never initialised", "new Base\n pop" + end);
        m.put("kept in a local", "new Base\n astore_1" + end);
        m.put("returned", "new Base\n areturn");
        m.put("two, inner first",
            "new Base\n new Base\n dup\n invokespecial Base.<init> ()V\n pop\n invokespecial Base.<init> ()V" + end);
        m.put("two of one place",
            "iconst_2\n istore_1\n X:\n .frame append top int\n new Base\n astore_2\n aload_2\n"
                + " invokespecial Base.<init> ()V\n"
                + " iinc 1 -1\n iload_1\n ifgt X" + end);
        m.put("both copies",
            "new Base\n dup\n astore_1\n dup\n invokespecial Base.<init> ()V\n aload_1\n invokevirtual Base.m ()V\n pop"
                + end);
        m.put("wrong class", "new Base\n dup\n invokespecial Other.<init> ()V\n pop" + end);
        m.put("superclass's constructor", "new User\n dup\n invokespecial Base.<init> ()V\n pop" + end);
        m.put("twice", made + "invokespecial Base.<init> ()V" + end);
        m.put("on null", "aconst_null\n invokespecial Base.<init> ()V" + end);
        m.put("on a String", "ldc \"x\"\n invokespecial java/lang/String.<init> ()V" + end);
        m.put("constructor with result", "new Base\n dup\n invokespecial Base.<init> ()I\n pop\n pop" + end);
        m.put("constructor by invokevirtual", "new Base\n invokevirtual Base.<init> ()V" + end);
        m.put("constructor by invokestatic", "invokestatic Base.<init> ()V" + end);
        m.put("initializer by invokestatic", "invokestatic Base.<clinit> ()V" + end);
        m.put("field", "new Base\n getfield Base.b I\n pop" + end);
        m.put("field store", "new Base\n iconst_1\n putfield Base.b I" + end);
        m.put("method", "new Base\n invokevirtual Base.m ()V" + end);
        m.put("argument", "new Base\n invokestatic User.take (Ljava/lang/Object;)V" + end);
        m.put("static store", "new Base\n putstatic User.o Ljava/lang/Object;" + end);
        m.put("array store", "iconst_1\n anewarray java/lang/Object\n iconst_0\n new Base\n aastore" + end);
        m.put("monitor", "new Base\n dup\n monitorenter\n monitorexit" + end);
        m.put("checkcast", "new Base\n checkcast Base\n pop" + end);
        m.put("null test", "new Base\n ifnull X\n X:\n .frame same" + end);
        m.put("comparison", "new Base\n new Base\n if_acmpeq X\n X:\n .frame same" + end);
        m.put("throw", "new java/lang/Error\n athrow");
        m.put("over a forward branch",
            "A:\n new Base\n dup\n iconst_0\n ifeq X\n nop\n X:\n .frame full | new:A new:A\n"
                + " invokespecial Base.<init> ()V\n pop" + end);
        m.put("over a backward branch",
            "iconst_3\n istore_1\n A:\n new Base\n X:\n .frame full top int | new:A\n iinc 1 -1\n iload_1\n ifgt X\n"
                + " invokespecial Base.<init> ()V" + end);
        m.put("other new in the frame",
            "A:\n new Base\n pop\n B:\n new Base\n iconst_0\n ifeq X\n nop\n X:\n .frame full | new:A\n pop" + end);
        m.put("frame names no new",
            "A:\n nop\n new Base\n iconst_0\n ifeq X\n nop\n X:\n .frame full | new:A\n pop" + end);
        m.put("frame says Base", "new Base\n iconst_0\n ifeq X\n nop\n X:\n .frame full | Base\n pop" + end);
        m.put("frame says Object",
            "new Base\n iconst_0\n ifeq X\n nop\n X:\n .frame full | java/lang/Object\n pop" + end);
        m.put("frame says top", "new Base\n astore_1\n iconst_0\n ifeq X\n nop\n X:\n .frame full top top |" + end);
        m.put("initialised, frame says new",
            "A:\n new Base\n dup\n invokespecial Base.<init> ()V\n iconst_0\n ifeq X\n nop\n X:\n .frame full | new:A\n"
                + " pop" + end);
        m.put("handler sees it",
            "A:\n new Base\n astore_1\n F:\n nop\n T:\n nop" + end
                + "\n H:\n .frame full top new:A | java/lang/Throwable\n areturn\n"
                + " .catch any F T H");
        m.put("handler says Base",
            "A:\n new Base\n astore_1\n F:\n aload_1\n invokespecial Base.<init> ()V\n T:\n" + end
                + "\n H:\n .frame full top Base | java/lang/Throwable\n areturn\n .catch any F T H");
        m.put("handler says new",
            "A:\n new Base\n astore_1\n F:\n aload_1\n invokespecial Base.<init> ()V\n T:\n" + end
                + "\n H:\n .frame full top new:A | java/lang/Throwable\n areturn\n .catch any F T H");
        m.put("handler says top",
            "A:\n new Base\n astore_1\n F:\n aload_1\n invokespecial Base.<init> ()V\n T:\n" + end
                + "\n H:\n .frame full top top | java/lang/Throwable\n areturn\n .catch any F T H");
        m.put("an interface", "new java/lang/Runnable\n pop" + end);
        m.put("an abstract class", "new Abstract\n pop" + end);
        m.put("an array", "new [I\n pop" + end);
        m.put("missing", "new Missing\n pop" + end);
        m.put("private constructor", "new Hidden\n dup\n iconst_1\n invokespecial Hidden.<init> (I)V\n pop" + end);
        m.put("uninitializedThis in a static method",
            "iconst_0\n ifeq X\n nop\n X:\n .frame full uninitializedThis |" + end);
    }

    static ClassAssembler user(int version) {
        return Crafted.type(version, PU | Crafted.SUPER, "User", "Base")
            .field(PU, "f", "I")
            .field(PU, "t", "Ljava/lang/Object;")
            .field(PU | ST, "s", "I")
            .field(PU | ST, "o", "Ljava/lang/Object;")
            .method(PU, "m", "()V", 0, 1, "return")
            .method(PU | ST, "take", "(Ljava/lang/Object;)V", 0, 1, "return");
    }

    static void row(String name, int version, ClassAssembler user) {
        Crafted.row(name + "/" + version, user,
            Crafted.plain(version, "Base").field(PU, "b", "I").method(PU, "m", "()V", 0, 1, "return"),
            Crafted.plain(version, "Other"),
            Crafted.type(version, PU | Crafted.SUPER | Crafted.ABSTRACT, "Abstract", "java/lang/Object")
                .constructor(PU),
            Crafted.plain(version, "Hidden")
                .method(Crafted.PRIVATE, "<init>", "(I)V", 1, 2,
                    "aload_0\n invokespecial java/lang/Object.<init> ()V\n return"));
    }

    public static void main(String[] args) {
        for (int version : new int[] {61, 50, 49}) {
            Crafted.section(version >= 51 ? "4.10.1.9" : "4.10.2.4");
            CONSTRUCTORS.forEach((name, code) -> {
                if (name.contains("endless") && !name.startsWith("handler"))
                    code = "iconst_0\n ifeq Z\n " + SUPER_CALL + "return\n Z:\n" + code;
                ClassAssembler u = user(version)
                                       .method(PU, "<init>", "()V", 6, 6, code)
                                       .method(PU, "<init>", "(I)V", 1, 2, SUPER_CALL + "return");
                boolean runs = !name.contains("endless") && !name.contains("loop over");
                Crafted.go(
                    u, runs ? "new User\n dup\n invokespecial User.<init> ()V\n areturn" : "ldc \"fine\"\n areturn");
                row("constructor: " + name, version, u);
            });
            CODES.forEach((name, code) -> row(name, version, Crafted.go(user(version).constructor("Base"), code)));
        }
        Crafted.end();
    }
}
