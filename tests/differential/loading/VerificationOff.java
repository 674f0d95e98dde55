// With -XX:-BytecodeVerificationRemote a program's classes pass unverified, their format checked as little as the boot
// loader's classes'.
public class VerificationOff {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    static void load(String what, ClassAssembler a) {
        try {
            System.out.println(what + ": " + Class.forName(a.name(), true, new ClassAssembler.Loader(null, a)));
        } catch (Throwable e) {
            System.out.println(what + ": " + e.toString().replaceAll("(?s)\n.*", ""));
        }
    }

    public static void main(String[] args) {
        load("unverifiable",
             new ClassAssembler(52, "A").method(S, "m", "()Ljava/lang/Object;", 1, 0, "iconst_1\n areturn"));
        load("field name", new ClassAssembler(52, "B").field(S, "a;b", "I"));
        load("method name", new ClassAssembler(52, "C").method(S, "a<b", "()V", 0, 0, "return"));
        load("field twice", new ClassAssembler(52, "D").field(S, "a", "I").field(S, "a", "I"));
        load("field flags", new ClassAssembler(52, "E").field(S | ClassAssembler.PRIVATE, "a", "I"));
        load("class flags",
             new ClassAssembler(52, ClassAssembler.INTERFACE | ClassAssembler.FINAL, "F", "java/lang/Object"));
        load("final superclass", new ClassAssembler(52, ClassAssembler.PUBLIC, "G", "java/lang/String"));
    }
}
