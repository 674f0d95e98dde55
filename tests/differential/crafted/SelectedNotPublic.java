// invokeinterface that selects a method which is not public: IllegalAccessError names it by the receiver's class,
// wherever it is declared. JVMS 6.5.invokeinterface.
public class SelectedNotPublic {
    static final int V = 55;

    static void row(String name, String method, String desc, int declared, boolean inReceiver) {
        ClassAssembler parent = Crafted.plain(V, "p/Parent", "java/lang/Object"),
                       receiver = Crafted.plain(V, "p/Receiver", "p/Parent", "p/I");
        ClassAssembler owner = inReceiver ? receiver : parent;
        if (declared >= 0) owner.method(declared, method, desc, 1, 1, "aconst_null\n areturn");
        ClassAssembler i = Crafted.iface(V, "p/I").method(Crafted.PUBLIC | Crafted.ABSTRACT, method, desc),
                       user = Crafted.go(Crafted.plain(V, "p/User", "java/lang/Object"),
                                         "new p/Receiver\n dup\n invokespecial p/Receiver.<init> ()V\n "
                                         + "invokeinterface p/I." + method + " " + desc
                                         + "\n pop\n ldc \"fine\"\n areturn");
        Crafted.row(name, user, parent, receiver, i);
    }

    public static void main(String[] args) {
        Crafted.section("6.5.invokeinterface");
        row("Object's", "clone", "()Ljava/lang/Object;", -1, false);
        for (int access : new int[] {Crafted.PUBLIC, Crafted.PROTECTED, 0, Crafted.PRIVATE}) {
            row(access + " of the receiver", "m", "()Ljava/lang/String;", access, true);
            row(access + " of its parent", "m", "()Ljava/lang/String;", access, false);
        }
        Crafted.end();
    }
}
