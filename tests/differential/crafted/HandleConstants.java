// MethodHandle and MethodType constants: what they may name, and in which order it is looked at.
// JVMS 5.4.3.5, 4.4.8.
public class HandleConstants {
    static final int V = 55, PU = Crafted.PUBLIC, ST = Crafted.STATIC, AB = Crafted.ABSTRACT, PR = Crafted.PRIVATE,
                     PT = Crafted.PROTECTED;
    static final String DONE = "\n invokevirtual java/lang/Object.toString ()Ljava/lang/String;\n areturn";

    static ClassAssembler user() { return Crafted.plain(V, "p/User", "q/Base"); }
    static ClassAssembler hidden() { return Crafted.type(V, Crafted.SUPER, "q/Hidden", "java/lang/Object"); }

    static void row(String name, String code, ClassAssembler... others) {
        Crafted.Loader l = new Crafted.Loader("one").define(others).define(hidden(), Crafted.go(user(), code));
        String one = Crafted.outcome(l, "p.User", "go"), two = Crafted.outcome(l, "p.User", "go");
        Crafted.say(name, one + (two.equals(one) ? " twice" : " then " + two));
    }

    /** Every kind of handle to every kind of member of a class, or interface, in another package. */
    static void members() {
        String[] kinds = {"", "getField", "getStatic", "putField", "putStatic", "invokeVirtual", "invokeStatic",
                          "invokeSpecial", "newInvokeSpecial", "invokeInterface"};
        for (int access : new int[] {PU, PT, 0, PR, PU | Crafted.FINAL})
            for (boolean face : new boolean[] {false, true})
                for (String type : new String[] {"I", "Lq/Hidden;", "[Lq/Hidden;", "Lq/Missing;",
                                                 "Ljava/lang/String;"}) {
                    if (face && (access == PT || access == 0 || access == (PU | Crafted.FINAL))) continue;
                    for (int kind = 1; kind <= 9; kind++)
                        for (String member : new String[] {"i", "s", "none"}) {
                            if (member.equals("s") && type.length() > 1 && access != PU) continue;
                            ClassAssembler base = face ? Crafted.iface(V, "q/Owner") : Crafted.plain(V, "q/Base");
                            String end = "return";
                            if (!face) base.field(access, "i", type).field(access | ST, "s", type);
                            else base.field(PU | ST | Crafted.FINAL, "s", type);
                            base.method(access, "im", "(" + type + ")V", 0, 2, end);
                            base.method(access | ST, "sm", "(" + type + ")V", 0, 1, end);
                            if (!face)
                                base.method(access & ~Crafted.FINAL, "<init>", "(" + type + ")V", 1, 2,
                                            "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
                            String ref = (face && kind != 9 && kind > 4 ? "interface " : "")
                                + (face ? "q/Owner." : "q/Base.")
                                + (kind <= 4       ? member + " " + type
                                   : kind == 8     ? "<init> (" + type + (member.equals("none") ? "I" : "") + ")V"
                                                   : member + "m (" + type + ")V");
                            String name = kinds[kind] + (face ? " interface " : " class ") + access + " " + member + " "
                                + type;
                            if (kind == 8 && (face || member.equals("s"))) continue;
                            String code = "ldc handle " + kind + " " + ref + DONE;
                            if (face) row(name, code, base, Crafted.plain(V, "q/Base"));
                            else row(name, code, base);
                        }
                }
    }

    /** Types of every spelling, in every place that makes a MethodType. */
    static void types() {
        ClassAssembler base = Crafted.plain(V, "q/Base");
        for (String type : new String[] {"Lq/Hidden;", "[Lq/Hidden;", "[[Lq/Hidden;", "Lq/Missing;", "[Lq/Missing;",
                                         "Lq/Base;", "Lp/User;", "[[I", "Ljava/lang/AbstractStringBuilder;",
                                         "Ljdk/internal/misc/VM;"})
            for (String desc : new String[] {"(" + type + ")V", "()" + type, "(IJ" + type + "Lq/Missing;)V",
                                             "(Lq/Base;D)" + type}) {
                row("type " + desc, "ldc type " + desc + DONE, base);
                row("type from a class of its package " + desc,
                    "invokestatic q/Inner.go ()Ljava/lang/Object;\n areturn", base,
                    Crafted.go(Crafted.plain(V, "q/Inner"), "ldc type " + desc + DONE));
                boolean none = desc.startsWith("()");
                if (desc.startsWith("(IJ") || desc.startsWith("(Lq/Base")) continue;
                row("invokeExact " + desc,
                    "ldc handle 6 java/lang/Thread.currentThread ()Ljava/lang/Thread;\n "
                        + (none ? "" : "aconst_null\n ")
                        + "invokevirtual java/lang/invoke/MethodHandle.invokeExact " + desc + "\n"
                        + (none ? "pop\n" : "") + "ldc \"fine\"\n areturn", base);
            }
        for (String type : new String[] {"q/Hidden", "[Lq/Hidden;", "q/Missing", "[[Lq/Missing;"})
            row("class " + type, "ldc class " + type + DONE, base);
    }

    public static void main(String[] args) {
        Crafted.section("5.4.3.5");
        members();
        types();
        Crafted.end();
    }
}
