// Which classes a class may name: every instruction that resolves one, from every kind of place.
// JVMS 5.4.4, 5.4.3.1, 5.3.5.
import java.util.LinkedHashMap;
import java.util.Map;

public class AccessOfClasses {
    static final int V = 55, PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final String END = "ldc \"fine\"\n areturn";
    static final Map<String, String> USES = new LinkedHashMap<>();
    static {
        USES.put("new", "new p/Owner\n dup\n invokespecial p/Owner.<init> ()V\n pop\n " + END);
        USES.put("anewarray", "iconst_1\n anewarray p/Owner\n pop\n " + END);
        USES.put("anewarray of arrays", "iconst_1\n anewarray [Lp/Owner;\n pop\n " + END);
        USES.put("multianewarray", "iconst_1\n iconst_1\n multianewarray [[Lp/Owner; 2\n pop\n " + END);
        USES.put("checkcast of null", "aconst_null\n checkcast p/Owner\n pop\n " + END);
        USES.put("checkcast", "ldc \"x\"\n checkcast p/Owner\n pop\n " + END);
        USES.put("checkcast of array", "iconst_1\n newarray int\n checkcast [Lp/Owner;\n pop\n " + END);
        USES.put("instanceof of null", "aconst_null\n instanceof p/Owner\n pop\n " + END);
        USES.put("instanceof", "ldc \"x\"\n instanceof p/Owner\n pop\n " + END);
        USES.put("ldc", "ldc class p/Owner\n pop\n " + END);
        USES.put("ldc of array", "ldc class [[Lp/Owner;\n pop\n " + END);
        USES.put("ldc of handle", "ldc handle 6 p/Owner.sm ()V\n pop\n " + END);
        USES.put("ldc of field handle", "ldc handle 2 p/Owner.s I\n pop\n " + END);
        USES.put("ldc of constructor handle", "ldc handle 8 p/Owner.<init> ()V\n pop\n " + END);
        USES.put("getstatic", "getstatic p/Owner.s I\n pop\n " + END);
        USES.put("putstatic", "iconst_1\n putstatic p/Owner.s I\n " + END);
        USES.put("invokestatic", "invokestatic p/Owner.sm ()V\n " + END);
        USES.put("invokevirtual", "aconst_null\n invokevirtual p/Owner.m ()V\n " + END);
        USES.put("invokevirtual of array",
            "iconst_1\n anewarray java/lang/Object\n pop\n aconst_null\n invokevirtual [Lp/Owner;.clone "
                + "()Ljava/lang/Object;\n pop\n " + END);
        USES.put("getfield", "aconst_null\n getfield p/Owner.f I\n pop\n " + END);
        USES.put("inherited static", "getstatic p/Heir.s I\n pop\n " + END);
        USES.put("inherited method", "invokestatic p/Heir.sm ()V\n " + END);
        USES.put("catch",
            "from:\n ldc \"x\"\n iconst_5\n invokevirtual java/lang/String.charAt (I)C\n pop\n " + END
                + "\n to:\n handler:\n .frame full | java/lang/Throwable\n areturn\n .catch p/Owner from to handler");
        USES.put("catch behind",
            "from:\n ldc \"x\"\n iconst_5\n invokevirtual java/lang/String.charAt (I)C\n pop\n " + END
                + "\n to:\n handler:\n .frame full | java/lang/Throwable\n areturn\n"
                + " .catch java/lang/Exception from to handler\n"
                + " .catch p/Owner from to handler");
    }

    static ClassAssembler owner(int access, String parent) {
        return new ClassAssembler(V, access | Crafted.SUPER, "p/Owner", parent)
            .field(PU | ST, "s", "I")
            .field(PU, "f", "I")
            .method(PU | ST, "sm", "()V", 0, 0, "return")
            .method(PU, "m", "()V", 0, 1, "return")
            .constructor(parent);
    }

    static void row(String name, String place, ClassAssembler owner, ClassAssembler user) {
        ClassAssembler heir = Crafted.plain(V, "p/Heir", "p/Owner");
        if (!place.equals("other loader")) {
            Crafted.row(name + "/" + place, user, owner, heir);
            return;
        }
        Crafted.Loader upper = new Crafted.Loader("upper").define(owner, heir);
        Crafted.row(name + "/" + place, new Crafted.Loader("lower", upper).define(user), user.name());
    }

    public static void main(String[] args) {
        for (int access : new int[] {PU, 0}) {
            String level = access == PU ? "public" : "package";
            for (String place : new String[] {"package", "other loader", "stranger"}) {
                String name = place.equals("stranger") ? "q/User" : "p/User";
                Crafted.section("5.4.3.1");
                USES.forEach(
                    (use, code)
                        -> row(use + "/" + level, place,
                            owner(access, use.startsWith("catch") ? "java/lang/Throwable" : "java/lang/Object"),
                            Crafted.go(Crafted.plain(V, name), code)));
                Crafted.section("5.3.5");
                String fine = END;
                row("superclass/" + level, place, owner(access, "java/lang/Object"),
                    Crafted.go(Crafted.plain(V, name, "p/Owner"), fine));
                ClassAssembler face =
                    Crafted.type(V, access | Crafted.INTERFACE | Crafted.ABSTRACT, "p/Owner", "java/lang/Object");
                row("superinterface/" + level, place, face,
                    Crafted.go(Crafted.plain(V, name, "java/lang/Object", "p/Owner"), fine));
                row("superinterface of interface/" + level, place, face,
                    Crafted.go(Crafted.iface(V, name, "p/Owner"), fine));
                row("interface as superclass/" + level, place, face,
                    Crafted.go(Crafted.plain(V, name, "p/Owner"), fine));
                row("class as superinterface/" + level, place, owner(access, "java/lang/Object"),
                    Crafted.go(Crafted.plain(V, name, "java/lang/Object", "p/Owner"), fine));
                ClassAssembler last =
                    new ClassAssembler(V, access | Crafted.FINAL | Crafted.SUPER, "p/Owner", "java/lang/Object")
                        .constructor(PU);
                row("final superclass/" + level, place, last, Crafted.go(Crafted.plain(V, name, "p/Owner"), fine));
            }
        }
        Crafted.end();
    }
}
