// What a class that is refused leaves behind is free memory at once: a collection between any two allocations, the
// error's message among them, may give it to others. JVMS 5.3.4, 5.3.5.
public class RefusedWhenDefined {
    static final int V = 55;

    static ClassAssembler named(String name) {
        return Crafted.plain(V, name)
            .field(Crafted.PUBLIC | Crafted.STATIC, "s", "LT;")
            .method(Crafted.PUBLIC | Crafted.STATIC, "sm", "(LT;)V", 0, 1, "return");
    }

    /** `lower` has used a method of `upper` that means upper's T, and may not define its own any more. */
    static void violatesConstraint() throws Exception {
        Crafted.Loader upper = new Crafted.Loader("upper").define(named("Owner"), named("T"));
        Crafted.Loader lower = new Crafted.Loader("lower", upper).define(
            Crafted.go(Crafted.plain(V, "User"),
                       "aconst_null\n invokestatic Owner.sm (LT;)V\n ldc \"fine\"\n areturn"), named("T"));
        Class.forName("T", false, upper);
        Crafted.say("constraint", Crafted.outcome(lower, "User", "go"));
        for (int i = 0; i < 3; i++) {
            try {
                System.out.println(Class.forName("T", false, lower));
            } catch (LinkageError e) {
                System.out.println(Crafted.text(e));
            }
        }
    }

    static class Twice extends ClassLoader {
        Twice() {
            super("twice", Twice.class.getClassLoader());
        }
        String define(byte[] b) {
            try {
                return defineClass("T", b, 0, b.length).getName();
            } catch (LinkageError e) {
                return Crafted.text(e);
            }
        }
    }

    static void duplicate() {
        byte[] b = named("T").toBytes();
        Twice loader = new Twice();
        for (int i = 0; i < 3; i++) System.out.println(loader.define(b));
    }

    public static void main(String[] args) throws Exception {
        Crafted.section("5.3");
        for (int i = 0; i < 5; i++) {
            violatesConstraint();
            duplicate();
        }
    }
}
