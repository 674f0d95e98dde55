// Member, local, anonymous and static nested classes; captured variables; outer access; inner names and modifiers.
import java.lang.reflect.Modifier;
import java.util.function.IntSupplier;

public class InnerClasses {
    private int secret = 42;
    private static int counter;
    private int bump() { return ++secret; }

    class Member {
        int own = secret;
        class Deep {
            int all() { return own + secret + InnerClasses.this.bump() + Member.this.own++; }
        }
        private Member() { counter++; }
    }
    static class Nested {
        private int hidden = 5;
        private Nested() {}
        static Nested make() { return new Nested(); }
    }
    class Sub extends Member {
        int both() { return own + secret; }
    }

    IntSupplier local(int arg) {
        int captured = arg * 2;
        class Local implements IntSupplier {
            final int mine;
            Local(int m) { mine = m; }
            Local copy() { return new Local(mine + 1); }
            public int getAsInt() { return mine + captured + arg + secret; }
        }
        return new Local(100).copy();
    }
    Runnable anonymous(String name) {
        return new Runnable() {
            int runs;
            { runs = name.length(); }
            public void run() { System.out.println(name + " " + ++runs + " " + secret++); }
        };
    }
    static void describe(Class<?> c) {
        System.out.println(c.getName() + "|" + c.getSimpleName() + "|" + c.getCanonicalName() + "|" + c.getTypeName()
                           + "|" + c.isMemberClass() + c.isLocalClass() + c.isAnonymousClass() + "|"
                           + Modifier.toString(c.getModifiers()) + "|" + c.getEnclosingClass() + "|"
                           + c.getDeclaringClass() + "|" + c.getEnclosingMethod() + "|" + c.getEnclosingConstructor()
                           + "|" + c.getNestHost().getName());
    }

    public static void main(String[] args) {
        InnerClasses o = new InnerClasses();
        Member m = o.new Member();
        Member.Deep d = m.new Deep();
        System.out.println(d.all() + " " + d.all() + " " + o.new Sub().both() + " " + counter);
        System.out.println(o.local(3).getAsInt());
        Runnable r = o.anonymous("anon");
        r.run();
        r.run();
        System.out.println(new Nested().hidden + Nested.make().hidden++);
        describe(Member.class);
        describe(Member.Deep.class);
        describe(Nested.class);
        describe(o.local(1).getClass());
        describe(r.getClass());
        describe(int.class);
        describe(String[][].class);
        describe(Member[].class);
        describe(new Object() {}.getClass());
        describe(java.util.Map.Entry.class);
        System.out.println(java.util.Arrays.stream(InnerClasses.class.getDeclaredClasses())
                               .map(Class::getSimpleName)
                               .sorted()
                               .toList());
        System.out.println(InnerClasses.class.getNestMembers().length + " " + Member.class.isNestmateOf(Nested.class)
                           + " " + Member.class.isNestmateOf(String.class));
        InnerClasses none = null;
        try {
            none.new Member();
        } catch (NullPointerException e) {
            System.out.println("no outer instance");
        }
    }
}
