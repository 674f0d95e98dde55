// Who may use a field, a method or a constructor: every kind of access from every kind of place.
// JVMS 5.4.4, 5.4.3.2, 5.4.3.3.
import java.util.List;

public class AccessOfMembers {
    static final int V = 55, PU = Crafted.PUBLIC, ST = Crafted.STATIC;
    static final List<String> LEVELS = List.of("public", "protected", "package", "private"),
        OPERATIONS = List.of("getstatic", "putstatic", "getfield", "putfield", "invokestatic", "invokevirtual", "new"),
        PLACES = List.of("itself", "package", "nest", "claimed nest", "other loader", "subclass", "foreign subclass",
            "stranger");

    static int flags(String level) {
        return switch (level) {
            case "public" -> PU;
            case "protected" -> Crafted.PROTECTED;
            case "private" -> Crafted.PRIVATE;
            default -> 0;
        };
    }

    /** Leaves a String or throws; `receiver` is a class with a public constructor, Owner itself or below it. */
    static String code(String operation, String receiver) {
        String object = "new " + receiver + "\n dup\n iconst_0\n invokespecial " + receiver + ".<init> (I)V\n",
               end = "ldc \"fine\"\n areturn";
        return switch (operation) {
            case "getstatic" -> "getstatic p/Owner.s I\n pop\n " + end;
            case "putstatic" -> "iconst_1\n putstatic p/Owner.s I\n " + end;
            case "getfield" -> object + "getfield p/Owner.f I\n pop\n " + end;
            case "putfield" -> object + "iconst_1\n putfield p/Owner.f I\n " + end;
            case "invokestatic" -> "invokestatic p/Owner.sm ()V\n " + end;
            case "invokevirtual" -> object + "invokevirtual p/Owner.m ()V\n " + end;
            default -> "new p/Owner\n dup\n invokespecial p/Owner.<init> ()V\n pop\n " + end;
        };
    }

    static ClassAssembler owner(int access) {
        return new ClassAssembler(V, "p/Owner")
            .field(access | ST, "s", "I")
            .field(access, "f", "I")
            .method(access | ST, "sm", "()V", 0, 0, "return")
            .method(access, "m", "()V", 0, 1, "return")
            .constructor(access)
            .method(PU, "<init>", "(I)V", 1, 2, "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
    }

    static ClassAssembler user(String name, String parent, String code) {
        String init = parent.equals("p/Owner") ? "aload_0\n iconst_0\n invokespecial p/Owner.<init> (I)V\n return"
                                               : "aload_0\n invokespecial java/lang/Object.<init> ()V\n return";
        ClassAssembler c = Crafted.type(V, PU | Crafted.SUPER, name, parent).method(PU, "<init>", "(I)V", 2, 2, init);
        return Crafted.go(c, code);
    }

    static void row(String level, String operation, String place) {
        ClassAssembler owner = owner(flags(level));
        String name = operation + "/" + level + "/" + place, by = code(operation, "p/Owner");
        switch (place) {
            case "itself": Crafted.row(name, Crafted.go(owner, by)); break;
            case "package": Crafted.row(name, user("p/User", "java/lang/Object", by), owner); break;
            case "nest":
            case "claimed nest": {
                ClassAssembler u = user("p/User", "java/lang/Object", by);
                u.attribute("NestHost", u.u2s(u.type("p/Owner")));
                if (place.equals("nest")) owner.attribute("NestMembers", owner.u2s(1, owner.type("p/User")));
                Crafted.row(name, u, owner);
                break;
            }
            case "other loader": {
                Crafted.Loader upper = new Crafted.Loader("upper").define(owner);
                ClassAssembler u = user("p/User", "java/lang/Object", by);
                Crafted.row(name, new Crafted.Loader("lower", upper).define(u), "p.User");
                break;
            }
            case "subclass": Crafted.row(name, user("p/User", "p/Owner", code(operation, "p/User")), owner); break;
            case "foreign subclass":
                Crafted.row(name, user("q/User", "p/Owner", code(operation, "q/User")), owner);
                break;
            default: Crafted.row(name, user("q/User", "java/lang/Object", by), owner);
        }
    }

    public static void main(String[] args) {
        Crafted.section("5.4.4");
        for (String operation : OPERATIONS)
            for (String level : LEVELS)
                for (String place : PLACES) row(level, operation, place);
        Crafted.end();
    }
}
