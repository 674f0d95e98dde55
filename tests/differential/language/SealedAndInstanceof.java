// Sealed hierarchies and pattern instanceof of 17.
import java.util.Arrays;

public class SealedAndInstanceof {
    sealed interface Shape permits Circle, Square, Group {}
    record Circle(double r) implements Shape {}
    record Square(double side) implements Shape {}
    static final class Group implements Shape {
        final Shape[] parts;
        Group(Shape... p) { parts = p; }
    }
    static sealed abstract class Base {}
    static final class F extends Base {}
    static non-sealed class N extends Base {}
    static class Free extends N {}
    sealed interface Expr {}
    record Num(int v) implements Expr {}
    record Add(Expr l, Expr r) implements Expr {}
    record Mul(Expr l, Expr r) implements Expr {}
    enum Op implements Expr2 { X }
    sealed interface Expr2 permits Op {}

    static double area(Shape s) {
        if (s instanceof Circle c) return 3 * c.r() * c.r();
        if (s instanceof Square q && q.side() > 0) return q.side() * q.side();
        if (!(s instanceof Group g)) return -1;
        double sum = 0;
        for (Shape p : g.parts) sum += area(p);
        return sum;
    }
    static int eval(Expr e) {
        if (e instanceof Num n) return n.v;
        if (e instanceof Add a) return eval(a.l) + eval(a.r);
        return e instanceof Mul m ? eval(m.l) * eval(m.r) : 0;
    }
    static String describe(Object o) {
        if (o instanceof String s && s.length() > 2 || o instanceof Integer) return "long string or integer";
        return o instanceof CharSequence cs    ? "short " + cs.length()
        : o instanceof int[] a && a.length > 0 ? "ints " + a[0]
                                               : "other";
    }

    public static void main(String[] args) throws Exception {
        System.out.println(area(new Group(new Circle(2), new Square(3), new Group(new Square(-1)))));
        System.out.println(eval(new Add(new Num(2), new Mul(new Num(3), new Num(4)))));
        for (Object o : new Object[] {"abc", "a", 5, new StringBuilder("sb"), new int[] {9}, new int[0], null})
            System.out.println(describe(o));
        System.out.println(Shape.class.isSealed() + " "
                           + Arrays.stream(Shape.class.getPermittedSubclasses()).map(Class::getSimpleName).toList()
                           + " " + N.class.isSealed() + " " + Arrays.toString(N.class.getPermittedSubclasses())
                           + Base.class.getPermittedSubclasses().length);
        System.out.println(Expr2.class.getPermittedSubclasses()[0] + " "
                           + new Free().getClass().getSuperclass().getSimpleName());
        byte[] bad = new ClassAssembler(61, ClassAssembler.PUBLIC | ClassAssembler.SUPER, "Intruder",
                                        "java/lang/Object", "SealedAndInstanceof$Expr")
                         .constructor("java/lang/Object")
                         .toBytes();
        try {
            new ClassAssembler.Loader(SealedAndInstanceof.class.getClassLoader())
                .add("Intruder", bad)
                .loadClass("Intruder");
        } catch (IncompatibleClassChangeError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-fx]+", "@"));
        }
        byte[] sub =
            new ClassAssembler(61, ClassAssembler.PUBLIC | ClassAssembler.SUPER, "Intruder", "SealedAndInstanceof$Base")
                .toBytes();
        try {
            new ClassAssembler.Loader(SealedAndInstanceof.class.getClassLoader())
                .add("Intruder", sub)
                .loadClass("Intruder");
        } catch (IncompatibleClassChangeError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-fx]+", "@"));
        }
    }
}
