// Private access between nest mates by plain instructions, reflection and method handles; broken nests.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class Nestmates {
    private int f = 1;
    private static String s() { return "outer private"; }
    private String inst(int x) { return "inst" + x; }
    static class In {
        private int g = 2;
        private In() {}
        private In(int x) { g = x; }
        private String m() { return "in" + new Nestmates().f + s(); }
        private static final class Deep {
            private String d(Nestmates n, In i) { return n.inst(i.g) + i.m(); }
        }
    }
    interface Face {
        private String p() { return "face private"; }
        default String q() { return p() + new In(7).g; }
    }
    static class Impl implements Face {
        private String p() { return "impl private"; }
    }
    static class Base {
        private String who() { return "base"; }
        String call(Base b) { return b.who(); }
    }
    static class Derived extends Base {
        private String who() { return "derived"; }
        String callD(Derived d) { return d.who() + ((Base) d).who(); }
    }
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC,
                     PS = ClassAssembler.PRIVATE | ClassAssembler.STATIC;
    static void t(ClassAssembler... all) {
        try {
            System.out.println(ClassAssembler.call(ClassAssembler.load(all), "go"));
        } catch (Throwable e) {
            System.out.println(e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"));
        }
    }
    static byte[] members(ClassAssembler a, String... names) {
        byte[] b = new byte[2 + 2 * names.length];
        b[1] = (byte) names.length;
        for (int i = 0; i < names.length; i++) b[3 + 2 * i] = (byte) a.type(names[i]);
        return b;
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(new In().m() + new In.Deep().d(new Nestmates(), new In(3)) + new Impl().q()
                           + new Derived().call(new Derived()) + new Derived().callD(new Derived()));
        In i = new In();
        i.g += 10;
        i.g++;
        System.out.println(i.g);
        System.out.println(In.class.getDeclaredMethod("m").invoke(i) + " "
            + MethodHandles.lookup().findVirtual(In.class, "m", MethodType.methodType(String.class)).invoke(i)
            + In.class.getDeclaredConstructor(int.class).newInstance(5).g
            + (int) MethodHandles.lookup().findVarHandle(In.class, "g", int.class).get(i));
        System.out.println(In.class.getNestHost() + " " + In.Deep.class.isNestmateOf(Face.class) + " "
                           + int[].class.getNestHost() + int.class.getNestHost() + " "
                           + String.class.getNestMembers().length);
        String call = "invokestatic Host.p ()Ljava/lang/Object;\n areturn", body = "ldc \"reached\"\n areturn";
        for (int kind = 0; kind < 5; kind++) {
            ClassAssembler host = new ClassAssembler(55, "Host").method(PS, "p", "()Ljava/lang/Object;", 1, 0, body),
                           member =
                               new ClassAssembler(55, "Member").method(S, "go", "()Ljava/lang/Object;", 1, 0, call);
            if (kind != 1) host.attribute("NestMembers", members(host, kind == 2 ? "Another" : "Member"));
            if (kind != 3) {
                int h = member.type(kind == 4 ? "NoSuchHost" : "Host");
                member.attribute("NestHost", new byte[] {0, (byte) h});
            }
            t(member, host);
        }
        ClassAssembler host = new ClassAssembler(52, "Host").method(PS, "p", "()Ljava/lang/Object;", 1, 0, body),
                       member = new ClassAssembler(55, "Member").method(S, "go", "()Ljava/lang/Object;", 1, 0, call);
        int h = member.type("Host");
        member.attribute("NestHost", new byte[] {0, (byte) h});
        t(member, host);
    }
}
