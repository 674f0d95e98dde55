// Every form of stack map frame, in its place and out of it, and the types that meet at one. JVMS 4.7.4, 4.10.1.
import java.util.LinkedHashMap;
import java.util.Map;

public class StackMapFrames {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final String END = "\n ldc \"fine\"\n areturn", JUMP = "iconst_0\n ifeq X\n nop\n X:\n ";
    static final String[] TYPES = {"top", "int", "float", "double", "long", "null", "uninitializedThis",
        "java/lang/Object", "java/lang/String", "java/lang/Runnable", "Own", "[I", "[[I", "[Ljava/lang/Object;",
        "[Ljava/lang/String;", "Missing", "[LMissing;"};
    /** How code gets a value of each of these types into local 1. */
    static final Map<String, String> VALUES = new LinkedHashMap<>();
    static {
        VALUES.put("int", "iconst_1\n istore_1\n");
        VALUES.put("float", "fconst_1\n fstore_1\n");
        VALUES.put("long", "lconst_1\n lstore_1\n");
        VALUES.put("double", "dconst_1\n dstore_1\n");
        VALUES.put("null", "aconst_null\n astore_1\n");
        VALUES.put("String", "ldc \"x\"\n astore_1\n");
        VALUES.put("Own", "new Own\n dup\n invokespecial Own.<init> ()V\n astore_1\n");
        VALUES.put("int[]", "iconst_1\n newarray int\n astore_1\n");
        VALUES.put("String[]", "iconst_1\n anewarray java/lang/String\n astore_1\n");
        VALUES.put("int[][]", "iconst_1\n anewarray [I\n astore_1\n");
        VALUES.put("new", "new Own\n astore_1\n");
        VALUES.put("nothing", "");
    }

    static final Map<String, String> CODES = new LinkedHashMap<>();
    static {
        Map<String, String> c = CODES;
        c.put("same", JUMP + ".frame same" + END);
        c.put("same_extended", JUMP + ".frame same_extended" + END);
        c.put("none", JUMP + END);
        c.put("at an unreached place", "nop\n .frame same" + END);
        c.put("at the start", ".frame same\n nop" + END);
        c.put("at the start twice", ".frame same\n .frame bytes 0\n nop" + END);
        c.put("behind a goto without one", "goto X\n nop\n X:\n .frame same" + END);
        c.put("behind a goto", "goto X\n .frame same\n nop\n X:\n .frame same" + END);
        c.put("behind athrow without one", JUMP + ".frame same\n aconst_null\n athrow\n nop" + END);
        c.put("in the middle of an instruction", JUMP + ".frame bytes 5" + END);
        c.put("behind the end", JUMP + ".frame same" + END + "\n .frame bytes 90");
        c.put("at the end", JUMP + ".frame same" + END + "\n .frame same");
        c.put("too few", JUMP + ".frame same" + END + "\n .frames 0");
        c.put("one more announced", JUMP + ".frame same" + END + "\n .frames 2");
        c.put("one less announced",
            JUMP + ".frame same\n iconst_0\n ifeq Y\n nop\n Y:\n .frame same" + END + "\n .frames 1");
        c.put("65535 announced", JUMP + ".frame same" + END + "\n .frames 65535");
        for (int tag : new int[] {128, 200, 246}) c.put("reserved " + tag, JUMP + ".frame bytes " + tag + " 0 5" + END);
        c.put("same1 int", "iconst_1\n goto X\n X:\n .frame same1 int\n pop" + END);
        c.put("same1_extended int", "iconst_1\n goto X\n X:\n .frame same1_extended int\n pop" + END);
        c.put("same1 long", "lconst_1\n goto X\n X:\n .frame same1 long\n pop2" + END);
        c.put("same1 for an empty stack", JUMP + ".frame same1 int\n pop" + END);
        c.put("same for a stack of one", "iconst_1\n goto X\n X:\n .frame same\n" + END);
        c.put("same1 top", "iconst_1\n goto X\n X:\n .frame same1 top\n pop" + END);
        c.put("same1 top popped", "lconst_1\n goto X\n X:\n .frame full | top top\n pop2" + END);
        c.put("same1 bad tag", "iconst_1\n goto X\n X:\n .frame bytes 68 9\n pop" + END);
        c.put("truncated type", "aconst_null\n goto X\n X:\n .frame bytes 68 7 0\n pop" + END);
        c.put("class index 0", "aconst_null\n goto X\n X:\n .frame bytes 68 7 0 0\n pop" + END);
        c.put("class index of a name", "aconst_null\n goto X\n X:\n .frame bytes 68 7 0 1\n pop" + END);
        c.put("class index too large", "aconst_null\n goto X\n X:\n .frame bytes 68 7 255 255\n pop" + END);
        c.put("new too far", "aconst_null\n goto X\n X:\n .frame bytes 68 8 255 255\n pop" + END);
        for (int n = 1; n <= 3; n++) {
            c.put("chop " + n + " of none", JUMP + ".frame chop " + n + END);
            String set =
                "iconst_0\n istore_0\n lconst_0\n lstore_1\n fconst_0\n fstore_3\n iconst_0\n ifeq W\n nop\n"
                    + " W:\n .frame append int long float\n";
            c.put("chop " + n + " of three", set + JUMP + ".frame chop " + n + END);
            c.put("chop " + n + " and read the first", set + JUMP + ".frame chop " + n + "\n iload_0\n pop" + END);
            c.put("chop " + n + " and read the second", set + JUMP + ".frame chop " + n + "\n lload_1\n pop2" + END);
            c.put("chop " + n + " and read the third", set + JUMP + ".frame chop " + n + "\n fload_3\n pop" + END);
            c.put("chop " + n + ", append again",
                set + JUMP + ".frame chop " + n + "\n iconst_0\n ifeq Y\n nop\n Y:\n .frame append top\n" + END);
        }
        c.put("append to the limit",
            "lconst_0\n lstore_0\n lconst_0\n lstore_2\n " + JUMP + ".frame append long long" + END);
        c.put("append over the limit",
            JUMP + ".frame append top top top\n nop\n .frame append top top top\n nop\n .frame append top top top\n nop"
                + END);
        c.put("append what is not there", JUMP + ".frame append int" + END);
        c.put("append top", JUMP + ".frame append top top top" + END);
        c.put("full over the limit of locals", JUMP + ".frame full top top top top top top top top top |" + END);
        c.put("full over the limit of the stack", JUMP + ".frame full | int int int int int int int int int" + END);
        c.put("full with longs over the limit",
            "lconst_0\n lstore_0\n lconst_0\n lstore_2\n lconst_0\n lstore 4\n lconst_0\n lstore 6\n " + JUMP
                + ".frame full long long long long top |" + END);
        c.put("full, long's second half named", "lconst_0\n lstore_0\n " + JUMP + ".frame full long top |" + END);
        c.put("half of a long", "lconst_0\n lstore_0\n " + JUMP + ".frame full top top |\n lload_0\n pop2" + END);
        c.put("stack of three",
            "iconst_1\n lconst_1\n aconst_null\n iconst_0\n ifeq X\n nop\n X:\n .frame full | int long null\n"
                + " pop\n pop2\n pop"
                + END);
        c.put("stack in another order",
            "iconst_1\n fconst_1\n iconst_0\n ifeq X\n nop\n X:\n .frame full | float int\n pop\n pop" + END);
        c.put("stack shorter", "iconst_1\n iconst_1\n iconst_0\n ifeq X\n nop\n X:\n .frame full | int\n pop" + END);
        c.put("stack longer", "iconst_1\n iconst_0\n ifeq X\n nop\n X:\n .frame full | int int\n pop\n pop" + END);
        c.put("array of the same element merged as Object",
            "iconst_0\n ifeq E\n iconst_1\n newarray int\n goto X\n E:\n .frame same\n ldc \"x\"\n"
                + " X:\n .frame same1 java/lang/Object\n areturn");
        c.put("merged as an interface",
            "iconst_0\n ifeq E\n ldc \"x\"\n goto X\n E:\n .frame same\n iconst_1\n newarray int\n"
                + " X:\n .frame same1 java/lang/Runnable\n areturn");
        c.put("merged as a class",
            "iconst_0\n ifeq E\n ldc \"x\"\n goto X\n E:\n .frame same\n iconst_1\n newarray int\n"
                + " X:\n .frame same1 java/lang/String\n areturn");
        c.put("arrays merged as Cloneable",
            "iconst_1\n newarray int\n goto X\n X:\n .frame same1 java/lang/Cloneable\n areturn");
        c.put("arrays merged as Serializable[]",
            "iconst_1\n anewarray [I\n goto X\n X:\n .frame same1 [Ljava/io/Serializable;\n areturn");
        c.put("arrays merged as Runnable[]",
            "iconst_1\n anewarray [I\n goto X\n X:\n .frame same1 [Ljava/lang/Runnable;\n areturn");
        c.put("backward", "iconst_3\n istore_0\n X:\n .frame append int\n iinc 0 -1\n iload_0\n ifgt X" + END);
        c.put("backward to a changed local",
            "iconst_3\n istore_0\n X:\n .frame append int\n fconst_0\n fstore_0\n iconst_0\n ifgt X" + END);
        c.put(
            "backward over the stack", "iconst_3\n X:\n .frame same1 int\n iconst_1\n isub\n dup\n ifgt X\n pop" + END);
        c.put("backward with more on the stack", "X:\n .frame same\n iconst_0\n iconst_0\n ifgt X\n pop" + END);
        c.put("tableswitch",
            "iconst_1\n tableswitch 0 A B : D\n A:\n .frame same\n nop\n B:\n .frame same\n nop\n D:\n .frame same"
                + END);
        c.put("tableswitch without one",
            "iconst_1\n tableswitch 0 A B : D\n A:\n .frame same\n nop\n B:\n nop\n D:\n .frame same" + END);
        c.put("lookupswitch",
            "iconst_1\n lookupswitch 1=A 7=B : D\n A:\n .frame same\n nop\n B:\n .frame same\n nop\n D:\n .frame same"
                + END);
        c.put("goto_w", "goto_w X\n X:\n .frame same" + END);
        c.put("goto_w too far", ".byte 0xc8 0x7f 0xff 0xff 0xff" + END);
        c.put("jsr", "jsr X\n X:\n .frame same1 top\n pop" + END);
        for (String caught : new String[] {"any", "java/lang/Throwable", "java/lang/Exception", "java/lang/String",
                 "java/lang/Object", "Missing", "[I", "java/lang/Runnable"})
            for (String seen : new String[] {
                     "java/lang/Throwable", "java/lang/Exception", "java/lang/Object", "java/lang/Error", "int"})
                c.put("handler of " + caught + " as " + seen,
                    "F:\n iconst_1\n iconst_0\n idiv\n pop\n T:" + END + "\n H:\n .frame full | " + seen + "\n pop"
                        + END + "\n .catch " + caught + " F T H");
        String body = "F:\n iconst_1\n istore_0\n nop\n fconst_1\n fstore_0\n nop\n T:" + END + "\n H:\n .frame full ";
        for (String l : new String[] {"", "top", "int", "float"})
            c.put("handler with a changing local as " + l,
                body + l + " | java/lang/Throwable\n pop" + END + "\n .catch any F T H");
        c.put("handler without a frame", "F:\n nop\n T:" + END + "\n H:\n pop" + END + "\n .catch any F T H");
        c.put("handler with two on the stack",
            "F:\n nop\n T:" + END + "\n H:\n .frame full | java/lang/Throwable int\n pop\n pop" + END
                + "\n .catch any F T H");
        c.put("handler with an empty stack",
            "F:\n nop\n T:" + END + "\n H:\n .frame full |\n nop" + END + "\n .catch any F T H");
        c.put("handler inside its range",
            "F:\n nop\n goto E\n H:\n .frame same1 java/lang/Throwable\n pop\n T:\n nop\n E:\n .frame same" + END
                + "\n .catch any F T H");
        c.put("empty range",
            "F:\n T:\n nop" + END + "\n H:\n .frame same1 java/lang/Throwable\n pop" + END + "\n .catch any F T H");
        c.put("reversed range",
            "T:\n nop\n F:\n nop" + END + "\n H:\n .frame same1 java/lang/Throwable\n pop" + END
                + "\n .catch any F T H");
    }

    static void row(String name, int version, String code) {
        Crafted.row(name + "/" + version,
            Crafted.type(version, PU | Crafted.SUPER, "User", "java/lang/Object")
                .method(PU | ST, "go", "()Ljava/lang/Object;", 8, 8, code),
            Crafted.plain(version, "Own", "java/lang/Object", "java/lang/Runnable")
                .method(PU, "run", "()V", 0, 1, "return"));
    }

    public static void main(String[] args) {
        for (int version : new int[] {61, 50}) {
            Crafted.section("4.7.4");
            CODES.forEach((name, code) -> row(name, version, code));
            Crafted.section("4.10.1.2");
            VALUES.forEach((value, code) -> {
                for (String t : TYPES) {
                    row(value + " to " + t, version, code + JUMP + ".frame full top " + t + " |" + END);
                    if (version == 61 && code.contains("store_1") && !value.equals("new"))
                        row(value + " on the stack to " + t, version,
                            code.substring(0, code.lastIndexOf("\n", code.length() - 2)) + "\n goto X\n X:\n"
                                + " .frame full | " + t + "\n nop" + END);
                }
            });
        }
        Crafted.end();
    }
}
