// The order of class, interface and instance initialisation, and what does not initialise.
public class InitializationOrder {
    static void log(String s) { System.out.println(s); }
    static int log(String s, int v) { System.out.println(s + "=" + v); return v; }

    static class Base {
        static { log("Base.<clinit>"); }
        static int a = log("Base.a", 1);
        int x = log("Base.x", 10);
        { log("Base block"); }
        Base() { log("Base()"); hook(); }
        void hook() { log("Base.hook"); }
    }
    static class Derived extends Base {
        static final int CONST = 99;
        static final Integer BOXED = log("Derived.BOXED", 7);
        static { log("Derived.<clinit> " + a); }
        int y = log("Derived.y", 20);
        Derived() { super(); log("Derived() " + y); }
        @Override void hook() { log("Derived.hook sees y=" + y); }
    }
    interface Plain { int P = log("Plain.P", 1); }
    interface WithDefault { int D = log("WithDefault.D", 2); default void m() { } }
    interface Sub extends WithDefault { int S = log("Sub.S", 3); }
    static class Impl implements Plain, Sub { static { log("Impl.<clinit>"); } }
    static class OnlyConst {
        static { log("OnlyConst.<clinit>"); }
        static final int C = 5;
        static final String S = "s";
        static final Object O = "o";
    }
    static class ByArray { static { log("ByArray.<clinit>"); } }
    static class ByCast { static { log("ByCast.<clinit>"); } }
    static class ByLiteral { static { log("ByLiteral.<clinit>"); } }
    static class ByName { static { log("ByName.<clinit>"); } }
    static class Parent {
        static int inherited = log("Parent.inherited", 4);
        static { log("Parent.<clinit>"); }
        static void call() {}
    }
    static class Child extends Parent { static { log("Child.<clinit>"); } }
    static class CycleA { static int a = log("CycleA.a", CycleB.b + 1); }
    static class CycleB { static int b = log("CycleB.b", CycleA.a + 1); }
    static class Forward {
        static int early = peek();
        static int later = 5;
        static final int constant = 6;
        static int peek() { return later * 100 + constant; }
    }
    enum Kind { ONE, TWO; static { log("Kind.<clinit>"); } Kind() { log("Kind() " + name()); } }

    static { log("main class"); }

    public static void main(String[] args) throws Exception {
        log("main");
        log("const " + Derived.CONST);
        new Derived();
        new Derived();
        log("impl");
        new Impl();
        log("plain " + Plain.P);
        log("sub " + Sub.S);
        log(OnlyConst.C + OnlyConst.S);
        log("" + OnlyConst.O);
        ByArray[] arr = new ByArray[3];
        ByArray[][] arr2 = new ByArray[1][1];
        log("array " + arr.length + arr2.length);
        Object o = null;
        ByCast c = (ByCast) o;
        log("cast " + (o instanceof ByCast));
        log(ByLiteral.class.getName());
        Class.forName("InitializationOrder$ByName", false, InitializationOrder.class.getClassLoader());
        log("loaded");
        Class.forName("InitializationOrder$ByName");
        log("inherited " + Child.inherited);
        Child.call();
        new Child();
        log("cycle " + CycleA.a + " " + CycleB.b);
        log("forward " + Forward.early);
        log("enum " + Kind.values().length);
    }
}
