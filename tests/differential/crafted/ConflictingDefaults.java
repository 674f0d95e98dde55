// Default methods of two interfaces that are in conflict: how IncompatibleClassChangeError names them. JVMS 5.4.6.
public class ConflictingDefaults {
    static final int V = 55;

    static void row(String i, String j, String user, boolean byInterface) {
        String method = "m", desc = "()Ljava/lang/String;", code = "aconst_null\n areturn";
        ClassAssembler one = Crafted.iface(V, i).method(Crafted.PUBLIC, method, desc, 1, 1, code),
                       other = Crafted.iface(V, j).method(Crafted.PUBLIC, method, desc, 1, 1, code),
                       c = Crafted.go(Crafted.plain(V, user, "java/lang/Object", i, j),
                                      "new " + user + "\n dup\n invokespecial " + user + ".<init> ()V\n "
                                      + (byInterface ? "invokeinterface " + i : "invokevirtual " + user) + ".m " + desc
                                      + "\n pop\n ldc \"fine\"\n areturn");
        Crafted.row(i + " " + j + (byInterface ? " by interface" : " by class"), c, one, other);
    }

    public static void main(String[] args) {
        Crafted.section("5.4.6");
        for (boolean byInterface : new boolean[] {false, true}) {
            row("I", "J", "User", byInterface);
            row("p/I", "p/J", "p/User", byInterface);
            row("p/q/I", "J", "p/User", byInterface);
        }
        Crafted.end();
    }
}
