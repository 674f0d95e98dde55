// The IncompatibleClassChangeError family: classes generated so that resolved members have changed underfoot.
public class IncompatibleClasses {
    static final int P = ClassAssembler.PUBLIC, S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static int n;

    static void run(String code, ClassAssembler... others) {
        String name = "User" + ++n;
        ClassAssembler u = new ClassAssembler(49, name).method(S, "go", "()Ljava/lang/Object;", 6, 4, code);
        ClassAssembler[] all = new ClassAssembler[others.length + 1];
        all[0] = u;
        System.arraycopy(others, 0, all, 1, others.length);
        for (int i = 0; i < 2; i++) {
            try {
                Class<?> c = ClassAssembler.load(all);
                System.out.println(n + " " + ClassAssembler.call(c, "go"));
            } catch (Throwable e) {
                System.out.println(n + " " + stripped(e));
                if (e.getCause() != null) System.out.println("   " + stripped(e.getCause()));
            }
        }
    }
    static String stripped(Throwable e) { return e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"); }
    static ClassAssembler a() { return new ClassAssembler(49, "A").constructor("java/lang/Object"); }
    static ClassAssembler iface(String name, String... supers) {
        return new ClassAssembler(52, P | ClassAssembler.INTERFACE | ClassAssembler.ABSTRACT, name, "java/lang/Object",
                                  supers);
    }

    public static void main(String[] args) {
        String newA = "new A\n dup\n invokespecial A.<init> ()V\n";
        run("getstatic A.f I\n pop\n aconst_null\n areturn", a());
        run("getstatic A.f I\n pop\n aconst_null\n areturn", a().field(P, "f", "I"));
        run("iconst_1\n putstatic A.f I\n aconst_null\n areturn", a().field(P, "f", "I"));
        run(newA + "getfield A.f I\n pop\n aconst_null\n areturn", a().field(S, "f", "I"));
        run(newA + "iconst_1\n putfield A.f I\n aconst_null\n areturn", a().field(S, "f", "I"));
        run(newA + "getfield A.f I\n pop\n aconst_null\n areturn", a().field(P, "f", "J"));
        run("getstatic A.f I\n pop\n aconst_null\n areturn",
            a().field(ClassAssembler.PRIVATE | ClassAssembler.STATIC, "f", "I"));
        run(newA + "iconst_1\n putfield A.f I\n aconst_null\n areturn", a().field(P | ClassAssembler.FINAL, "f", "I"));
        run("iconst_1\n putstatic A.f I\n aconst_null\n areturn", a().field(S | ClassAssembler.FINAL, "f", "I"));
        run("invokestatic A.m ()V\n aconst_null\n areturn", a());
        run("invokestatic A.m ()V\n aconst_null\n areturn", a().method(P, "m", "()V", 0, 1, "return"));
        run(newA + "invokevirtual A.m ()V\n aconst_null\n areturn", a().method(S, "m", "()V", 0, 1, "return"));
        run(newA + "invokevirtual A.m ()V\n aconst_null\n areturn", a().method(P, "m", "(I)V", 0, 2, "return"));
        run(newA + "invokevirtual A.m ()V\n aconst_null\n areturn",
            a().method(ClassAssembler.PRIVATE, "m", "()V", 0, 1, "return"));
        run(newA + "invokeinterface A.m ()V\n aconst_null\n areturn", a().method(P, "m", "()V", 0, 1, "return"));
        run("aconst_null\n invokevirtual I.m ()V\n aconst_null\n areturn",
            iface("I").method(P | ClassAssembler.ABSTRACT, "m", "()V"));
        run(newA + "checkcast java/lang/Object\n astore_0\n aload_0\n invokeinterface I.m ()V\n aconst_null\n areturn",
            a(), iface("I").method(P | ClassAssembler.ABSTRACT, "m", "()V"));
        run("new B\n dup\n invokespecial B.<init> ()V\n invokeinterface I.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P, "B", "java/lang/Object", "I").constructor("java/lang/Object"),
            iface("I").method(P | ClassAssembler.ABSTRACT, "m", "()V"));
        run("new B\n dup\n invokespecial B.<init> ()V\n invokeinterface I.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P, "B", "java/lang/Object", "I")
                .constructor("java/lang/Object")
                .method(ClassAssembler.PROTECTED, "m", "()V", 0, 1, "return"),
            iface("I").method(P | ClassAssembler.ABSTRACT, "m", "()V"));
        run("new B\n dup\n invokespecial B.<init> ()V\n invokeinterface I.m ()V\n aconst_null\n areturn",
            new ClassAssembler(52, P, "B", "java/lang/Object", "I", "J").constructor("java/lang/Object"),
            iface("I").method(P, "m", "()V", 0, 1, "return"), iface("J").method(P, "m", "()V", 0, 1, "return"));
        run("new B\n dup\n invokespecial B.<init> ()V\n invokevirtual B.m ()V\n aconst_null\n areturn",
            new ClassAssembler(52, P, "B", "java/lang/Object", "I", "J").constructor("java/lang/Object"),
            iface("I").method(P, "m", "()V", 0, 1, "return"), iface("J").method(P, "m", "()V", 0, 1, "return"));
        run("new C\n dup\n invokespecial C.<init> ()V\n invokevirtual B.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P | ClassAssembler.ABSTRACT, "B", "java/lang/Object")
                .constructor("java/lang/Object")
                .method(P | ClassAssembler.ABSTRACT, "m", "()V"),
            new ClassAssembler(49, P, "C", "B").constructor("B"));
        run("new B\n areturn", new ClassAssembler(49, P | ClassAssembler.ABSTRACT, "B", "java/lang/Object")
                                   .constructor("java/lang/Object"));
        run("new I\n areturn", iface("I"));
        run("new Missing\n areturn");
        run("getstatic Missing.x I\n pop\n aconst_null\n areturn");
        run("iconst_1\n anewarray Missing\n areturn");
        run("aconst_null\n checkcast Missing\n areturn");
        run("ldc \"x\"\n checkcast Missing\n areturn");
        run("aconst_null\n instanceof Missing\n pop\n aconst_null\n areturn");
        run("ldc class Missing\n areturn");
        run("ldc class [LMissing;\n areturn");
        run("new B\n areturn", new ClassAssembler(49, P, "B", "Missing"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "java/lang/Object", "Missing"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "I"), iface("I"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "java/lang/Object", "A"), a());
        run("new B\n areturn", new ClassAssembler(49, P, "B", "A"),
            new ClassAssembler(49, P | ClassAssembler.FINAL, "A", "java/lang/Object"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "A").method(P, "m", "()V", 0, 1, "return"),
            a().method(P | ClassAssembler.FINAL, "m", "()V", 0, 1, "return"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "B"));
        run("new B\n areturn", new ClassAssembler(49, P, "B", "C"), new ClassAssembler(49, P, "C", "B"));
        run("getstatic java/lang/System.nosuch I\n pop\n aconst_null\n areturn");
        run("aconst_null\n invokestatic java/lang/System.nosuch (Ljava/lang/String;[[IJ)Ljava/util/Map;\n areturn");
        run("ldc \"x\"\n getfield java/lang/String.value [B\n areturn");
        run("invokestatic jdk/internal/misc/Unsafe.getUnsafe ()Ljdk/internal/misc/Unsafe;\n areturn");
        run("new java/lang/Thread$State\n areturn");
        run("new java/lang/Enum\n areturn");
        run("new p/Hidden\n areturn", new ClassAssembler(49, 0, "p/Hidden", "java/lang/Object"));
        run("invokestatic p/Pub.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P, "p/Pub", "java/lang/Object")
                .method(ClassAssembler.STATIC, "m", "()V", 0, 0, "return"));
        run("invokestatic p/Pub.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P, "p/Pub", "java/lang/Object")
                .method(ClassAssembler.STATIC | ClassAssembler.PROTECTED, "m", "()V", 0, 0, "return"));
        run("invokestatic I.m ()V\n aconst_null\n areturn", iface("I").method(S, "m", "()V", 0, 0, "return"));
        run("invokestatic A.native ()V\n aconst_null\n areturn",
            a().method(S | ClassAssembler.NATIVE, "native", "()V"));
        run(newA + "monitorexit\n aconst_null\n areturn", a());
        run("aconst_null\n monitorenter\n aconst_null\n areturn");
        run("aconst_null\n monitorexit\n aconst_null\n areturn");
        run(newA + "monitorenter\n aconst_null\n areturn", a());
        run("bipush -1\n newarray int\n areturn");
        run("bipush -1\n anewarray A\n areturn", a());
        run("iconst_1\n bipush -1\n multianewarray [[I 2\n areturn");
        run("iconst_1\n iconst_1\n multianewarray [[LMissing; 2\n areturn");
        byInstruction();
    }

    /** B extends A, and its m() does `code`; User.go calls it. */
    static void inSubclass(String code, ClassAssembler parent) {
        run("new B\n dup\n invokespecial B.<init> ()V\n invokevirtual B.m ()V\n aconst_null\n areturn",
            new ClassAssembler(49, P | ClassAssembler.SUPER, "B", "A")
                .constructor("A")
                .method(P, "m", "()V", 4, 1, code + "\n return")
                .method(ClassAssembler.PRIVATE, "own", "()V", 0, 1, "return"),
            parent);
    }

    /** What the rows above leave of JVMS 6.5's linking exceptions, instruction by instruction. */
    static void byInstruction() {
        String newA = "new A\n dup\n invokespecial A.<init> ()V\n", newB = "new B\n dup\n invokespecial B.<init> ()V\n",
               end = "\n aconst_null\n areturn";
        int abs = P | ClassAssembler.ABSTRACT;
        ClassAssembler hidden =
            new ClassAssembler(49, 0, "p/Hidden", "java/lang/Object").constructor("java/lang/Object");
        run(newB + "areturn", new ClassAssembler(49, abs, "B", "java/lang/Object").constructor("java/lang/Object"));
        run("new p/Hidden\n dup\n invokespecial p/Hidden.<init> ()V\n areturn", hidden);
        run("iconst_1\n anewarray p/Hidden\n areturn", hidden);
        run("iconst_1\n iconst_1\n multianewarray [[Lp/Hidden; 2\n areturn", hidden);
        run("ldc \"x\"\n checkcast p/Hidden\n areturn", hidden);
        run("ldc \"x\"\n instanceof p/Hidden\n pop" + end, hidden);
        run("ldc \"x\"\n instanceof Missing\n pop" + end);
        run("aconst_null\n getfield Missing.f I\n pop" + end);
        run("aconst_null\n iconst_1\n putfield Missing.f I" + end);
        run("iconst_1\n putstatic Missing.f I" + end);
        run("aconst_null\n invokevirtual Missing.m ()V" + end);
        run("aconst_null\n invokeinterface Missing.m ()V" + end);
        run("aconst_null\n invokeinterface I.nosuch ()V" + end, iface("I"));
        run(newA + "iconst_1\n putfield A.nosuch I" + end, a());
        run("iconst_1\n putstatic A.nosuch I" + end, a());
        run(newA + "invokevirtual A.m ()V" + end, a().method(P | ClassAssembler.NATIVE, "m", "()V"));
        run(newB + "invokeinterface I.m ()V" + end, iface("I").method(abs, "m", "()V"),
            new ClassAssembler(52, P, "B", "java/lang/Object", "I")
                .constructor("java/lang/Object")
                .method(P | ClassAssembler.NATIVE, "m", "()V"));
        inSubclass("aload_0\n invokespecial A.nosuch ()V", a());
        inSubclass("aload_0\n invokespecial A.m ()V", a().method(ClassAssembler.PRIVATE, "m", "()V", 0, 1, "return"));
        inSubclass("aload_0\n invokespecial A.m ()V", a().method(S, "m", "()V", 0, 0, "return"));
        inSubclass("aload_0\n invokespecial A.m ()V", a().method(P | ClassAssembler.NATIVE, "m", "()V"));
        inSubclass("aload_0\n invokespecial A.m ()V",
                   new ClassAssembler(49, abs | ClassAssembler.SUPER, "A", "java/lang/Object")
                       .constructor("java/lang/Object")
                       .method(abs, "m", "()V"));
        inSubclass("aconst_null\n invokespecial B.own ()V", a());
        ClassAssembler failing = new ClassAssembler(49, "E").field(S, "f", "I").method(S, "m", "()V", 0, 0, "return")
            .method(ClassAssembler.STATIC, "<clinit>", "()V", 1, 0, "aconst_null\n athrow");
        run("iconst_1\n putstatic E.f I" + end, failing);
        run("invokestatic E.m ()V" + end, failing);
    }
}
