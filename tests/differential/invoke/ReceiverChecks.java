// What is left to check at run time of calls and stores: the receivers of interfaces' calls, protected members, final
// fields.
public class ReceiverChecks {
    static final int P = ClassAssembler.PUBLIC, S = ClassAssembler.PUBLIC | ClassAssembler.STATIC,
                     IFACE = P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT;
    static final String O = "Ljava/lang/Object;";
    static int n;

    static ClassAssembler iface(String name, String... supers) {
        return new ClassAssembler(52, IFACE, name, "java/lang/Object", supers);
    }
    static ClassAssembler of(String name, String parent, String... interfaces) {
        return new ClassAssembler(52, P | ClassAssembler.SUPER, name, parent, interfaces).constructor(parent);
    }
    static String made(String c) { return "new " + c + "\n dup\n invokespecial " + c + ".<init> ()V\n"; }

    /** Calls User.go three times. */
    static void run(ClassAssembler... all) {
        n++;
        try {
            Class<?> c = ClassAssembler.load(all);
            for (int i = 0; i < 3; i++) {
                try {
                    System.out.println(n + " " + stripped(ClassAssembler.call(c, "go")));
                } catch (Throwable e) {
                    System.out.println(n + " " + stripped(e));
                }
            }
        } catch (Throwable e) {
            System.out.println(n + " " + stripped(e));
        }
    }
    static String stripped(Object o) {
        return String.valueOf(o).replaceAll("@(0x)?[0-9a-f]+", "@").replaceAll("(?s)\n.*", "");
    }

    static ClassAssembler user(String code) {
        return new ClassAssembler(52, "User").method(S, "go", "()" + O, 4, 2, code);
    }

    public static void main(String[] args) {
        /* invokespecial in an interface: the receiver implements it */
        ClassAssembler base = iface("Base").method(P, "m", "()" + O, 1, 1, "ldc \"Base.m\"\n areturn");
        for (String receiver : new String[] {"Implementing", "Other"}) {
            run(user(made(receiver) + "invokestatic interface Low.call (LBase;)" + O + "\n areturn"), base,
                iface("Low", "Base")
                    .method(S, "call", "(LBase;)" + O, 2, 1,
                            "aload_0\n invokespecial interface Base.m ()" + O + "\n areturn"),
                of("Implementing", "java/lang/Object", "Low"), of("Other", "java/lang/Object", "Base"));
            run(user(made(receiver) + "invokestatic interface Low.call (LBase;)" + O + "\n areturn"), base,
                iface("Low", "Base")
                    .method(P, "own", "()" + O, 1, 1, "ldc \"Low.own\"\n areturn")
                    .method(S, "call", "(LBase;)" + O, 2, 1,
                            "aload_0\n invokespecial interface Low.own ()" + O + "\n areturn"),
                of("Implementing", "java/lang/Object", "Low"), of("Other", "java/lang/Object", "Base"));
            run(user(made(receiver) + "invokestatic interface Low.call (LBase;)" + O + "\n areturn"), base,
                iface("Low", "Base")
                    .method(ClassAssembler.PRIVATE, "own", "()" + O, 1, 1, "ldc \"Low.own\"\n areturn")
                    .method(S, "call", "(LBase;)" + O, 2, 1,
                            "aload_0\n invokespecial interface Low.own ()" + O + "\n areturn"),
                of("Implementing", "java/lang/Object", "Low"), of("Other", "java/lang/Object", "Base"));
            run(user(made(receiver) + "invokestatic interface Low.call (" + O + ")" + O + "\n areturn"), base,
                iface("Low", "Base")
                    .method(S, "call", "(" + O + ")" + O, 2, 1,
                            "aload_0\n invokespecial java/lang/Object.toString ()Ljava/lang/String;\n areturn"),
                of("Implementing", "java/lang/Object", "Low"), of("Other", "java/lang/Object", "Base"));
        }
        run(user("aconst_null\n invokestatic interface Low.call (LBase;)" + O + "\n areturn"), base,
            iface("Low", "Base")
                .method(S, "call", "(LBase;)" + O, 2, 1,
                        "aload_0\n invokespecial interface Base.m ()" + O + "\n areturn"));
        /* constructors are called from anywhere */
        run(user("invokestatic interface Low.call ()" + O + "\n areturn"),
            iface("Low").method(S, "call", "()" + O, 2, 1, made("java/lang/String") + "areturn"));
        /* an interface is no subclass of Object: its protected methods are not its own */
        for (String call :
             new String[] {"invokevirtual java/lang/Object.clone ()" + O, "invokevirtual Low.clone ()" + O,
                           "invokespecial java/lang/Object.clone ()" + O,
                           "invokevirtual java/lang/Object.finalize ()V\n aconst_null",
                           "invokespecial java/lang/Object.finalize ()V\n aconst_null",
                           "invokeinterface Low.clone ()" + O, "invokespecial interface Low.clone ()" + O,
                           "invokevirtual java/lang/Object.hashCode ()I\n pop\n ldc \"hash\""}) {
            run(user(made("Implementing") + "invokestatic interface Low.call (LLow;)" + O + "\n areturn"),
                iface("Low", "java/lang/Cloneable")
                    .method(S, "call", "(LLow;)" + O, 2, 1, "aload_0\n " + call + "\n areturn"),
                of("Implementing", "java/lang/Object", "Low"));
            run(user(made("Implementing") + "invokeinterface Low.call ()" + O + "\n areturn"),
                iface("Low", "java/lang/Cloneable")
                    .method(P, "call", "()" + O, 2, 1, "aload_0\n " + call + "\n areturn"),
                of("Implementing", "java/lang/Object", "Low"));
        }
        run(user("invokestatic interface Low.call ()" + O + "\n areturn"),
            iface("Low").method(S, "call", "()" + O, 2, 1,
                                "iconst_1\n newarray int\n invokevirtual [I.clone ()" + O
                                    + "\n pop\n ldc \"cloned\"\n areturn"));
        /* invokeinterface of Object's methods */
        for (String call : new String[] {"hashCode ()I\n pop\n ldc \"hash\"", "toString ()Ljava/lang/String;",
                                         "getClass ()Ljava/lang/Class;", "notify ()V\n ldc \"notified\""}) {
            for (String receiver : new String[] {"Implementing", "Other"})
                run(user(made(receiver) + "astore_0\n aload_0\n monitorenter\n aload_0\n invokeinterface Low." + call
                         + "\n aload_0\n monitorexit\n areturn"),
                    iface("Low"), of("Implementing", "java/lang/Object", "Low"), of("Other", "java/lang/Object"));
            run(user("iconst_0\n newarray int\n astore_0\n aload_0\n monitorenter\n aload_0\n invokeinterface Low."
                     + call + "\n aload_0\n monitorexit\n areturn"),
                iface("Low"));
            run(user("aconst_null\n invokeinterface Low." + call + "\n areturn"), iface("Low"));
        }
        /* final fields: written by the class that declares them, from its initialisers */
        for (int version : new int[] {49, 52, 53, 61}) {
            for (String where : new String[] {"<init>", "other"}) {
                for (String owner : new String[] {"Parent", "Child"}) {
                    ClassAssembler child = new ClassAssembler(version, P | ClassAssembler.SUPER, "Child", "Parent");
                    String store =
                        "aload_0\n iconst_5\n putfield " + owner
                        + ".f I\n aload_0\n getfield Parent.f I\n invokestatic java/lang/String.valueOf "
                            + "(I)Ljava/lang/String;\n";
                    String construct = "aload_0\n invokespecial Parent.<init> ()V\n";
                    child.method(P, "<init>", "()V", 3, 1,
                                 construct + (where.equals("<init>") ? store + "pop\n" : "") + "return");
                    child.method(P, "other", "()" + O, 3, 1, store + "areturn");
                    ClassAssembler parent =
                        new ClassAssembler(version, P | ClassAssembler.SUPER, "Parent", "java/lang/Object")
                            .constructor("java/lang/Object");
                    parent.field(P | ClassAssembler.FINAL, "f", "I");
                    run(user(made("Child") + (where.equals("<init>") ? "" : "invokevirtual Child.other ()" + O + "\n")
                             + "areturn"),
                        child, parent);
                }
                ClassAssembler own = new ClassAssembler(version, P | ClassAssembler.SUPER, "Own", "java/lang/Object");
                String store = "aload_0\n iconst_5\n putfield Own.f I\n";
                own.field(P | ClassAssembler.FINAL, "f", "I").field(S | ClassAssembler.FINAL, "s", "I");
                own.method(P, "<init>", "()V", 3, 1,
                           "aload_0\n invokespecial java/lang/Object.<init> ()V\n"
                               + (where.equals("<init>") ? store : "") + "return");
                own.method(P, "other", "()" + O, 3, 1, store + "ldc \"stored\"\n areturn");
                own.method(S, "others", "()" + O, 3, 1, "iconst_5\n putstatic Own.s I\n ldc \"stored\"\n areturn");
                run(user(made("Own") + (where.equals("<init>") ? "" : "invokevirtual Own.other ()" + O + "\n")
                         + "areturn"),
                    own);
                run(user("invokestatic Own.others ()" + O + "\n areturn"), own);
            }
        }
    }
}
