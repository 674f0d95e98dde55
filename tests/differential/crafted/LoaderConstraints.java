// Two loaders that mean different classes by one name: what is refused, when, and that it stays refused.
// JVMS 5.3.4, 5.4.2, 5.4.3, 5.3.5.
public class LoaderConstraints {
    static final int V = 55, PU = Crafted.PUBLIC, ST = Crafted.STATIC, AB = Crafted.ABSTRACT;
    static final String DONE = "\n ldc \"fine\"\n areturn";

    /**
     * The type under dispute, and the loaders: `upper` defines Owner, `lower` defines User and asks upper for Owner.
     */
    static ClassAssembler disputed() {
        return Crafted.plain(V, "T");
    }

    /** Who has loaded T before the use: nobody, the lower loader, the upper one, or both. */
    static final String[] BEFORE = {"nobody", "lower", "upper", "both"};

    static void load(String before, Crafted.Loader lower, Crafted.Loader upper) throws ClassNotFoundException {
        if (before.equals("lower") || before.equals("both")) Class.forName("T", false, lower);
        if (before.equals("upper") || before.equals("both")) Class.forName("T", false, upper);
    }

    /** After a use: each loader is asked for T, twice; a refusal must stay one. */
    static String after(ClassLoader... loaders) {
        StringBuilder b = new StringBuilder();
        for (int round = 0; round < 2; round++)
            for (ClassLoader l : loaders) {
                String seen;
                try {
                    seen = "in " + Class.forName("T", false, l).getClassLoader().getName();
                } catch (Throwable t) {
                    seen = Crafted.text(t);
                }
                b.append(" ; T of ").append(l.getName()).append(" ").append(seen);
            }
        return b.toString();
    }

    static void use(String name, String code, ClassAssembler owner) throws Exception {
        for (String before : BEFORE)
            for (boolean same : new boolean[] {false, true}) {
                Crafted.Loader upper = new Crafted.Loader("upper").define(owner, disputed());
                Crafted.Loader lower = new Crafted.Loader("lower", upper)
                                           .define(Crafted.go(Crafted.plain(V, "User"), code),
                                               Crafted.go(Crafted.plain(V, "Other"), code));
                if (!same) lower.define(disputed());
                load(before, lower, upper);
                String first = Crafted.outcome(lower, "User", "go"), again = Crafted.outcome(lower, "User", "go"),
                       other = Crafted.outcome(lower, "Other", "go");
                Crafted.say(name + "/" + (same ? "one T" : "two Ts") + ", loaded by " + before,
                    first + (again.equals(first) ? " twice" : " then " + again)
                        + (other.equals(first) ? "" : " and " + other) + after(lower, upper));
            }
    }

    static void members() throws Exception {
        for (String type : new String[] {"LT;", "[LT;", "[[LT;"}) {
            ClassAssembler owner = Crafted.plain(V, "Owner")
                                       .field(PU | ST, "s", type)
                                       .field(PU, "f", type)
                                       .method(PU | ST, "sm", "(" + type + ")V", 0, 1, "return")
                                       .method(PU | ST, "get", "()" + type, 1, 0, "aconst_null\n areturn")
                                       .method(PU, "m", "(I" + type + "J)V", 0, 5, "return")
                                       .method(PU, "<init>", "(" + type + ")V", 1, 2,
                                           "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
            String made = "new Owner\n dup\n invokespecial Owner.<init> ()V\n";
            use("getstatic " + type, "getstatic Owner.s " + type + "\n pop" + DONE, owner);
            use("putfield " + type, made + "aconst_null\n putfield Owner.f " + type + DONE, owner);
            use("invokestatic argument " + type, "aconst_null\n invokestatic Owner.sm (" + type + ")V" + DONE, owner);
            use("invokestatic result " + type, "invokestatic Owner.get ()" + type + "\n pop" + DONE, owner);
            use("invokevirtual " + type,
                made + "iconst_1\n aconst_null\n lconst_0\n invokevirtual Owner.m (I" + type + "J)V" + DONE, owner);
            use("constructor " + type,
                "new Owner\n dup\n aconst_null\n invokespecial Owner.<init> (" + type + ")V\n pop" + DONE, owner);
        }
        ClassAssembler face = Crafted.iface(V, "Owner").method(PU | AB, "m", "(LT;)V");
        use("invokeinterface", "aconst_null\n checkcast Owner\n aconst_null\n invokeinterface Owner.m (LT;)V" + DONE,
            face);
    }

    /** HotSpot finds out when the class is linked, ours may when it is defined. */
    static String refused(String outcome) { return outcome.replaceFirst("^(define|link) ", "refused "); }

    static void report(String name, Crafted.Loader lower, Crafted.Loader upper, String first) {
        String one = refused(Crafted.outcome(lower, first, "go"));
        String two = refused(Crafted.outcome(lower, first, "go"));
        Crafted.say(name, one + (two.equals(one) ? " twice" : " then " + two) + after(lower, upper));
    }

    /** Overriding and implementing: the constraint is made when the class below is linked. */
    static void inheritance() throws Exception {
        for (String desc : new String[] {"(LT;)V", "()LT;", "([LT;)V", "(IJLT;)[[LT;"})
            for (String before : BEFORE)
                for (String kind : new String[] {"class", "abstract", "interface", "default", "inherited"}) {
                    boolean face = !kind.equals("class") && !kind.equals("abstract");
                    String end = desc.endsWith("V") ? "return" : "aconst_null\n areturn";
                    ClassAssembler base = face ? Crafted.iface(V, "Base")
                                               : Crafted.type(V, PU | Crafted.SUPER | AB, "Base", "java/lang/Object")
                                                     .constructor("java/lang/Object");
                    if (kind.equals("class") || kind.equals("default"))
                        base.method(PU, "m", desc, 1, 6, end);
                    else
                        base.method(PU | AB, "m", desc);
                    ClassAssembler user = face
                        ? Crafted.plain(V, "User", kind.equals("inherited") ? "Middle" : "java/lang/Object", "Base")
                        : Crafted.plain(V, "User", "Base");
                    ClassAssembler middle = Crafted.plain(V, "Middle").method(PU, "m", desc, 1, 6, end);
                    if (!kind.equals("inherited")) user.method(PU, "m", desc, 1, 6, end);
                    Crafted.go(user, "new User\n pop" + DONE);
                    Crafted.Loader upper = new Crafted.Loader("upper").define(base, disputed());
                    Crafted.Loader lower = new Crafted.Loader("lower", upper).define(user, middle, disputed());
                    load(before, lower, upper);
                    report(kind + " " + desc + ", loaded by " + before, lower, upper, "User");
                }
    }

    /** Constraints hold between three loaders, when the middle one has no T of its own. */
    static void transitive() throws Exception {
        for (String order : new String[] {"upper first", "lower first"}) {
            ClassAssembler top = Crafted.plain(V, "Top").method(PU | ST, "sm", "(LT;)V", 0, 1, "return");
            ClassAssembler middle =
                Crafted.go(Crafted.plain(V, "Middle").method(PU | ST, "sm", "(LT;)V", 0, 1, "return"),
                    "aconst_null\n invokestatic Top.sm (LT;)V" + DONE);
            ClassAssembler low =
                Crafted.go(Crafted.plain(V, "User"), "aconst_null\n invokestatic Middle.sm (LT;)V" + DONE);
            Crafted.Loader a = new Crafted.Loader("a").define(top, disputed());
            Crafted.Loader b = new Crafted.Loader("b").define(middle).ask(a, "Top");
            Crafted.Loader c = new Crafted.Loader("c").define(low, disputed()).ask(b, "Middle");
            String one = Crafted.outcome(b, "Middle", "go"), two = Crafted.outcome(c, "User", "go");
            Crafted.say("three loaders, " + order,
                one + " ; " + two + (order.startsWith("upper") ? after(a, c, b) : after(c, a, b)));
        }
        for (boolean first :
            new boolean[] {true, false}) { /* a class that comes through another loader is constrained as well */
            ClassAssembler owner = Crafted.plain(V, "Owner").method(PU | ST, "sm", "(LT;)V", 0, 1, "return");
            Crafted.Loader third = new Crafted.Loader("third").define(disputed());
            Crafted.Loader upper = new Crafted.Loader("upper").define(owner, disputed());
            Crafted.Loader lower =
                new Crafted.Loader("lower", upper)
                    .ask(third, "T")
                    .define(Crafted.go(Crafted.plain(V, "User"), "aconst_null\n invokestatic Owner.sm (LT;)V" + DONE),
                        Crafted.go(Crafted.plain(V, "Names"), "ldc class T\n pop" + DONE));
            String one = first ? Crafted.outcome(lower, "Names", "go") : Crafted.outcome(upper, "T", "go");
            String two = Crafted.outcome(lower, "User", "go"), three = Crafted.outcome(lower, "Names", "go"),
                   four = Crafted.outcome(lower, "Names", "go");
            Crafted.say("initiating loader, " + (first ? "lower" : "upper") + " first",
                one + " ; " + two + " ; " + three + " ; " + four + after(lower, upper));
        }
    }

    public static void main(String[] args) throws Exception {
        Crafted.section("5.4.3");
        members();
        Crafted.section("5.4.2");
        inheritance();
        Crafted.section("5.3.4");
        transitive();
        Crafted.end();
    }
}
