// Who may write a final field: by method, class, version and instruction. JVMS 6.5 (putfield, putstatic), 5.4.4.
public class FinalFields {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC, FI = Crafted.FINAL;
    static final String DONE = "\n ldc \"fine\"\n areturn",
                        SUPER_CALL = "aload_0\n invokespecial java/lang/Object.<init> ()V\n";

    static ClassAssembler owner(int version) {
        return Crafted.type(version, PU | Crafted.SUPER, "Owner", "java/lang/Object")
            .field(PU | FI, "f", "I")
            .field(PU | ST | FI, "s", "I")
            .field(PU | ST | FI, "c", "I", "7")
            .field(PU | FI, "j", "J")
            .field(Crafted.PRIVATE | FI, "p", "I");
    }

    static String put(String field, String receiver) {
        String desc = field.equals("j") ? "J" : "I", value = field.equals("j") ? "lconst_1\n " : "iconst_1\n ";
        return field.equals("s") || field.equals("c")
            ? value + "putstatic Owner." + field + " I\n"
            : receiver + "\n " + value + "putfield Owner." + field + " " + desc + "\n";
    }

    static void inOwner(int version) {
        for (String field : new String[] {"f", "s", "c", "j", "p"}) {
            String name = " Owner." + field + "/" + version, on = "aload_0";
            String make = "new Owner\n dup\n invokespecial Owner.<init> ()V\n", code = make + "pop" + DONE;
            Crafted.row("constructor" + name,
                Crafted.go(owner(version), code)
                    .method(PU, "<init>", "()V", 4, 2, SUPER_CALL + put(field, on) + "return"));
            Crafted.row("constructor, twice" + name,
                Crafted.go(owner(version), code)
                    .method(PU, "<init>", "()V", 4, 2, SUPER_CALL + put(field, on) + put(field, on) + "return"));
            Crafted.row("constructor before super" + name,
                Crafted.go(owner(version), code)
                    .method(PU, "<init>", "()V", 4, 2, put(field, on) + SUPER_CALL + "return"));
            Crafted.row("constructor on another object" + name,
                Crafted
                    .go(owner(version),
                        "new Owner\n dup\n aconst_null\n"
                            + " invokespecial Owner.<init> (LOwner;)V\n pop" + DONE)
                    .method(PU, "<init>", "(LOwner;)V", 4, 2,
                        SUPER_CALL + "new Owner\n dup\n invokespecial Owner.<init> ()V\n astore_1\n "
                            + put(field, "aload_1") + "return")
                    .constructor(PU));
            Crafted.row("initializer" + name,
                Crafted.go(owner(version).constructor(PU), code)
                    .method(ST, "<clinit>", "()V", 4, 2, make + "astore_0\n " + put(field, on) + "return"));
            Crafted.row("method" + name,
                Crafted.go(owner(version).constructor(PU), make + "invokevirtual Owner.m ()V" + DONE)
                    .method(PU, "m", "()V", 4, 2, put(field, on) + "return"));
            Crafted.row("static method" + name,
                Crafted.go(owner(version).constructor(PU), make + "astore_0\n " + put(field, on) + DONE.substring(1)));
            Crafted.row("method called by the constructor" + name,
                Crafted.go(owner(version), code)
                    .method(PU, "<init>", "()V", 4, 2, SUPER_CALL + "aload_0\n invokevirtual Owner.m ()V\n return")
                    .method(PU, "m", "()V", 4, 2, put(field, on) + "return"));
            Crafted.row("method called init" + name,
                Crafted.go(owner(version).constructor(PU), make + "invokevirtual Owner.init ()V" + DONE)
                    .method(PU, "init", "()V", 4, 2, put(field, on) + "return"));
            Crafted.row("static method called by the initializer" + name,
                Crafted.go(owner(version).constructor(PU), code)
                    .method(ST, "<clinit>", "()V", 4, 2, make + "invokestatic Owner.m (LOwner;)V\n return")
                    .method(PU | ST, "m", "(LOwner;)V", 4, 2, put(field, on) + "return"));
        }
    }

    static void elsewhere(int version) {
        for (String field : new String[] {"f", "s", "j", "p"}) {
            String name = " Owner." + field + "/" + version,
                   make = "new Owner\n dup\n invokespecial Owner.<init> ()V\n";
            Crafted.row("subclass constructor" + name,
                Crafted.go(Crafted.type(version, PU | Crafted.SUPER, "Below", "Owner")
                               .method(PU, "<init>", "()V", 4, 2,
                                   "aload_0\n invokespecial Owner.<init> ()V\n " + put(field, "aload_0") + "return"),
                    "new Below\n dup\n invokespecial Below.<init> ()V\n pop" + DONE),
                owner(version).constructor(PU));
            Crafted.row("subclass constructor through its own name" + name,
                Crafted.go(Crafted.type(version, PU | Crafted.SUPER, "Below", "Owner")
                               .method(PU, "<init>", "()V", 4, 2,
                                   "aload_0\n invokespecial Owner.<init> ()V\n "
                                       + put(field, "aload_0").replace("Owner.", "Below.") + "return"),
                    "new Below\n dup\n invokespecial Below.<init> ()V\n pop" + DONE),
                owner(version).constructor(PU));
            Crafted.row("subclass initializer" + name,
                Crafted.go(Crafted.plain(version, "Below", "Owner"), "ldc \"fine\"\n areturn")
                    .method(ST, "<clinit>", "()V", 4, 2, make + "astore_0\n " + put(field, "aload_0") + "return"),
                owner(version).constructor(PU));
            Crafted.row("stranger" + name,
                Crafted.go(
                    Crafted.plain(version, "User"), make + "astore_0\n " + put(field, "aload_0") + DONE.substring(1)),
                owner(version).constructor(PU));
            Crafted.row("stranger's constructor" + name,
                Crafted.go(Crafted.type(version, PU | Crafted.SUPER, "User", "java/lang/Object")
                               .method(PU, "<init>", "()V", 4, 2,
                                   SUPER_CALL + make + "astore_1\n " + put(field, "aload_1") + "return"),
                    "new User\n dup\n invokespecial User.<init> ()V\n pop" + DONE),
                owner(version).constructor(PU));
            for (int kind : new int[] {1, 2, 3, 4})
                if (field.equals("s") == (kind % 2 == 0))
                    Crafted.row("handle " + kind + name,
                        Crafted.go(owner(version).constructor(PU),
                            "ldc handle " + kind + " Owner." + field + (field.equals("j") ? " J" : " I") + "\n pop"
                                + DONE));
            if (version < 55) continue;
            ClassAssembler mate = Crafted.plain(version, "Mate"), host = owner(version).constructor(PU);
            mate.attribute("NestHost", ClassAssembler.u2s(mate.type("Owner")));
            host.attribute("NestMembers", ClassAssembler.u2s(1, host.type("Mate")));
            Crafted.row("nestmate" + name,
                Crafted.go(mate, make + "astore_0\n " + put(field, "aload_0") + DONE.substring(1)), host);
        }
        ClassAssembler face = Crafted.iface(version, "Owner").field(PU | ST | FI, "s", "I");
        Crafted.row("interface initializer/" + version,
            Crafted.go(Crafted.plain(version, "User"), "getstatic Owner.s I\n pop" + DONE),
            face.method(ST, "<clinit>", "()V", 4, 2, put("s", "") + "return"));
        Crafted.row("implementing class/" + version,
            Crafted.go(Crafted.plain(version, "User", "java/lang/Object", "Owner"), put("s", "") + DONE.substring(1)),
            Crafted.iface(version, "Owner").field(PU | ST | FI, "s", "I"));
    }

    public static void main(String[] args) {
        Crafted.section("6.5");
        for (int version : new int[] {49, 52, 53, 55}) {
            inOwner(version);
            elsewhere(version);
        }
        Crafted.end();
    }
}
