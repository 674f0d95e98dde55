// Two loaders that mean different classes by one name: what is refused, when, and that it stays refused.
// JVMS 5.3.4, 5.4.2, 5.4.3, 5.3.5.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;

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

    /** Constants that name a member, and what java.lang.invoke looks up for a class. */
    static void handles() throws Exception {
        for (String type : new String[] {"LT;", "[LT;"}) {
            ClassAssembler owner = Crafted.plain(V, "Owner")
                                       .field(PU | ST, "s", type)
                                       .field(PU, "f", type)
                                       .method(PU | ST, "sm", "(" + type + ")V", 0, 1, "return")
                                       .method(PU, "m", "(" + type + ")V", 0, 2, "return")
                                       .method(PU, "<init>", "(" + type + ")V", 1, 2,
                                           "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
            for (String[] h : new String[][] {{"getField", "1", "f " + type}, {"getStatic", "2", "s " + type},
                     {"putField", "3", "f " + type}, {"putStatic", "4", "s " + type},
                     {"invokeVirtual", "5", "m (" + type + ")V"}, {"invokeStatic", "6", "sm (" + type + ")V"},
                     {"newInvokeSpecial", "8", "<init> (" + type + ")V"}}) {
                use("handle " + h[0] + " " + type, "ldc handle " + h[1] + " Owner." + h[2] + "\n pop" + DONE, owner);
                lookUp(h[0], type, owner);
            }
            ClassAssembler face = Crafted.iface(V, "Owner")
                                      .method(PU | AB, "m", "(" + type + ")V")
                                      .method(PU | ST, "sm", "(" + type + ")V", 0, 1, "return");
            use("handle invokeInterface " + type, "ldc handle 9 Owner.m (" + type + ")V\n pop" + DONE, face);
            use("handle invokeStatic of an interface " + type,
                "ldc handle 6 interface Owner.sm (" + type + ")V\n pop" + DONE, face);
        }
    }

    interface Finding {
        Object find() throws Throwable;
    }
    static String found(Finding f) {
        try {
            return String.valueOf(f.find());
        } catch (Throwable t) {
            return Crafted.text(t);
        }
    }

    static void lookUp(String kind, String type, ClassAssembler owner) throws Exception {
        for (String of : new String[] {"lower", "upper"}) {
            Crafted.Loader upper = new Crafted.Loader("upper").define(owner, disputed());
            Crafted.Loader lower = new Crafted.Loader("lower", upper).define(Crafted.plain(V, "User"), disputed());
            Class<?> in = upper.loadClass("Owner"), user = lower.loadClass("User"),
                     t = typeIn(type, of.equals("lower") ? lower : upper);
            MethodHandles.Lookup l = MethodHandles.privateLookupIn(user, MethodHandles.lookup());
            MethodType given = MethodType.methodType(void.class, t);
            Finding f = () -> switch (kind) {
                case "getField" -> l.findGetter(in, "f", t);
                case "putField" -> l.findSetter(in, "f", t);
                case "getStatic" -> l.findStaticGetter(in, "s", t);
                case "putStatic" -> l.findStaticSetter(in, "s", t);
                case "invokeVirtual" -> l.findVirtual(in, "m", given);
                case "invokeStatic" -> l.findStatic(in, "sm", given);
                default -> l.findConstructor(in, given);
            };
            Finding variable = () -> switch (kind) {
                case "getField", "putField" -> l.findVarHandle(in, "f", t);
                default -> l.findStaticVarHandle(in, "s", t);
            };
            Finding reflected = () -> switch (kind) {
                case "getField" -> l.unreflectGetter(in.getField("f"));
                case "putField" -> l.unreflectSetter(in.getField("f"));
                case "getStatic" -> l.unreflectGetter(in.getField("s"));
                case "putStatic" -> l.unreflectSetter(in.getField("s"));
                case "invokeVirtual" -> l.unreflect(in.getMethod("m", typeIn(type, upper)));
                case "invokeStatic" -> l.unreflect(in.getMethod("sm", typeIn(type, upper)));
                default -> l.unreflectConstructor(in.getConstructor(typeIn(type, upper)));
            };
            Crafted.say("look-up " + kind + " " + type + " of " + of,
                found(f) + " then " + found(f) + " ; " + found(variable)
                + " ; " + found(reflected) + after(lower, upper));
        }
    }
    static Class<?> typeIn(String type, Crafted.Loader l) throws ClassNotFoundException {
        return Class.forName(type.startsWith("[") ? type : "T", false, l);
    }

    static void report(String name, Crafted.Loader lower, Crafted.Loader upper, String first) {
        String one = Crafted.outcome(lower, first, "go");
        String two = Crafted.outcome(lower, first, "go");
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

    /** Several tables and several loaders: which pairs of loaders are compared, and what of it is named. */
    static final class Family {
        final Crafted.Loader a = new Crafted.Loader("a"), b = new Crafted.Loader("b"), c = new Crafted.Loader("c");
        Family of(Crafted.Loader loader, ClassAssembler... classes) {
            loader.define(classes);
            for (Crafted.Loader other : new Crafted.Loader[] {a, b, c})
                for (ClassAssembler one : classes)
                    if (other != loader) other.ask(loader, one.name());
            return this;
        }
        /** Each of the loaders named has a T of its own, and has loaded it; the others never hear of one. */
        void report(String name, String withType) throws ClassNotFoundException {
            for (Crafted.Loader l : new Crafted.Loader[] {a, b, c}) {
                if (!withType.contains(l.getName())) continue;
                l.define(disputed());
                Class.forName("T", false, l);
            }
            String one = Crafted.outcome(c, "User", "go"), two = Crafted.outcome(c, "User", "go");
            Crafted.say(name + ", T in " + withType, one + (two.equals(one) ? " twice" : " then " + two));
        }
    }
    static ClassAssembler method(ClassAssembler c, int access) {
        return (access & AB) != 0 ? c.method(access, "m", "(LT;)Ljava/lang/String;")
                                  : c.method(access, "m", "(LT;)Ljava/lang/String;", 1, 2,
                                             "ldc \"" + c.name() + "\"\n areturn");
    }
    static ClassAssembler user(String parent, String... interfaces) {
        String owner = interfaces.length != 0 ? interfaces[0] : parent;
        return Crafted.go(Crafted.plain(V, "User", parent, interfaces),
            "new User\n dup\n invokespecial User.<init> ()V\n aconst_null\n"
                + " invokevirtual User.m (LT;)Ljava/lang/String;\n areturn");
    }
    static ClassAssembler abstractClass(String name, String parent, String... interfaces) {
        return Crafted.type(V, PU | Crafted.SUPER | AB, name, parent, interfaces).constructor(parent);
    }

    static void families() throws Exception {
        for (String types : new String[] {"ab", "ac", "bc", "abc", "a", "c"}) {
            for (int in : new int[] {PU | AB, PU}) {
                String what = in == PU ? "default" : "abstract method";
                Family f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in)).of(f.b, method(Crafted.iface(V, "J", "I"), PU));
                f.of(f.c, user("java/lang/Object", "J")).report("default over " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in)).of(f.b, method(Crafted.iface(V, "J", "I"), PU | AB));
                f.of(f.c, method(user("java/lang/Object", "J"), PU)).report("method, abstract over " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in), abstractClass("Base", "java/lang/Object", "I"));
                f.of(f.b, method(Crafted.iface(V, "J", "I"), PU)).of(f.c, user("Base", "J"));
                f.report("default in the place of an inherited " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in)).of(f.b, method(Crafted.plain(V, "Base"), PU));
                f.of(f.c, user("Base", "I")).report("inherited method over " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in));
                f.of(f.b, method(abstractClass("Base", "java/lang/Object", "I"), PU | AB));
                f.of(f.c, method(user("Base"), PU)).report("method over abstract class's over " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in)).of(f.b, abstractClass("Base", "java/lang/Object", "I"));
                f.of(f.c, method(user("Base"), PU)).report("method over class's inherited " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in), method(Crafted.iface(V, "K"), PU));
                f.of(f.b, abstractClass("Base", "java/lang/Object", "I", "K"));
                f.of(f.c, method(user("Base"), PU)).report("method over a default and an inherited " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.plain(V, "Base"), PU)).of(f.b, method(Crafted.iface(V, "I"), in));
                f.of(f.c, user("Base", "I")).report("superclass's over other's " + what, types);
                f = new Family();
                f.of(f.a, method(Crafted.iface(V, "I"), in));
                f.of(f.b, method(Crafted.plain(V, "Base"), Crafted.PROTECTED));
                f.of(f.c, user("Base", "I")).report("protected method over " + what, types);
            }
            for (int access : new int[] {PU, PU | AB, PU | Crafted.FINAL, Crafted.PROTECTED, 0}) {
                Family f = new Family();
                f.of(f.a, method(Crafted.plain(V, "Base"), PU));
                ClassAssembler middle =
                    (access & AB) != 0 ? abstractClass("Middle", "Base") : Crafted.plain(V, "Middle", "Base");
                f.of(f.b, method(middle, access));
                f.of(f.c, user("Middle")).report("superclass with " + access, types);
                f = new Family();
                f.of(f.a, method(Crafted.plain(V, "Base"), access & ~Crafted.FINAL & ~AB));
                f.of(f.b, Crafted.plain(V, "Middle", "Base")).of(f.c, method(user("Middle"), PU));
                f.report("method over grandparent's with " + access, types);
                f = new Family();
                f.of(f.a, method(Crafted.plain(V, "Base"), PU));
                f.of(f.b, method(Crafted.plain(V, "Middle", "Base"), access & ~Crafted.FINAL & ~AB));
                f.of(f.c, method(user("Middle"), PU)).report("method over parent's with " + access, types);
            }
        }
    }

    /** What comes first where a class has several faults, and how the classes below fare. */
    static void moments() throws Exception {
        for (String fault : new String[] {"none", "verifier", "superclass", "interface"}) {
            Family f = new Family();
            ClassAssembler base = method(Crafted.plain(V, "Base"), PU), face = Crafted.iface(V, "Face"),
                           user = method(user("Base", "Face"), PU);
            ClassAssembler bad = fault.equals("verifier") ? user : fault.equals("superclass") ? base : face;
            if (!fault.equals("none")) bad.method(PU | ST, "bad", "()V", 1, 0, "iconst_0\n areturn");
            ClassAssembler below = Crafted.go(Crafted.plain(V, "Below", "User"), "ldc \"ran\"\n areturn");
            f.of(f.a, base).of(f.b, face).of(f.c, user, below);
            f.a.define(disputed());
            f.c.define(disputed());
            load("both", f.c, f.a);
            Crafted.say("fault in " + fault + ", first below", Crafted.outcome(f.c, "Below", "go") + " ; "
                + Crafted.outcome(f.c, "User", "go") + " ; " + Crafted.outcome(f.c, "Below", "go"));
            Class<?> c = f.c.loadClass("User");
            String members;
            try {
                members = "" + c.getDeclaredMethods().length;
            } catch (Throwable t) {
                members = Crafted.text(t);
            }
            Crafted.say("fault in " + fault + ", loaded",
                c.getModifiers() + " " + Array.getLength(Array.newInstance(c, 1)) + " " + c.isInstance("") + " "
                    + members);
        }
        Crafted.Loader upper = new Crafted.Loader("upper").define(method(Crafted.plain(V, "Base"), PU), disputed());
        Crafted.Loader lower = new Crafted.Loader("lower", upper).define(method(user("Base"), PU), disputed());
        Class<?> user = lower.loadClass("User");
        Crafted.say("linked before any T",
            Crafted.outcome(lower, "User", "go") + after(upper, lower) + after(lower, upper));
        Crafted.say("still", Crafted.outcome(lower, "User", "go") + user.getClassLoader().getName());
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
        handles();
        Crafted.section("5.4.2");
        inheritance();
        families();
        moments();
        Crafted.section("5.3.4");
        transitive();
        Crafted.end();
    }
}
