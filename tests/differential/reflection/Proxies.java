// Dynamic proxies: primitives, defaults, exceptions, Object methods, several interfaces, invokeDefault.
import java.lang.reflect.*;
import java.util.Arrays;
import java.util.List;

public class Proxies {
    public interface Calc {
        int add(int a, int b);
        long mix(boolean z, byte b, char c, short s, long l, float f, double d, String t);
        void nothing();
        default String hello(String n) { return "hello " + n; }
        int fail(int kind) throws java.io.IOException;
        boolean z();
        double d();
    }
    interface Hidden {
        String hidden();
    }
    public interface Same1 {
        Object same();
    }
    public interface Same2 {
        String same();
    }

    static class Handler implements InvocationHandler {
        public Object invoke(Object proxy, Method m, Object[] args) throws Throwable {
            System.out.println("-> " + m.getDeclaringClass().getSimpleName() + "." + m.getName()
                               + Arrays.toString(args));
            switch (m.getName()) {
                case "add": return (Integer) args[0] + (Integer) args[1];
                case "mix": return 1L << 35;
                case "hello": return InvocationHandler.invokeDefault(proxy, m, args).toString().toUpperCase();
                case "fail":
                    switch ((Integer) args[0]) {
                        case 0: throw new java.io.IOException("declared");
                        case 1: throw new Exception("undeclared");
                        case 2: throw new IllegalStateException("unchecked");
                        case 3: return "wrong type";
                        default: return null;
                    }
                case "z": return true;
                case "d": return 2.5;
                case "same": return "same";
                case "hidden": return "hidden";
                case "hashCode": return 77;
                case "equals": return proxy == args[0];
                case "toString": return "proxy!";
                default: return null;
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        Calc c = (Calc) Proxy.newProxyInstance(Proxies.class.getClassLoader(),
                                               new Class<?>[] {Calc.class, Runnable.class}, new Handler());
        System.out.println(c.add(3, 4) + " " + c.mix(true, (byte) 1, 'c', (short) 2, 3L, 4f, 5d, "t") + " "
                           + c.hello("proxy") + " " + c.z() + c.d());
        c.nothing();
        ((Runnable) c).run();
        System.out.println(c.hashCode() + " " + c.equals(c) + c.equals("x") + " " + c);
        for (int k = 0; k < 5; k++) {
            try {
                System.out.println(c.fail(k));
            } catch (UndeclaredThrowableException e) {
                System.out.println("undeclared " + e.getCause());
            } catch (Exception e) {
                System.out.println(e.toString().replaceAll("Proxy\\d+", "Proxy"));
            }
        }
        System.out.println(Proxy.isProxyClass(c.getClass()) + " " + (Proxy.getInvocationHandler(c) instanceof Handler)
                           + " " + Modifier.toString(c.getClass().getModifiers()) + " "
                           + Arrays.toString(c.getClass().getInterfaces()) + " " + c.getClass().getSuperclass() + " "
                           + c.getClass().getSimpleName().startsWith("$Proxy"));
        Hidden h = (Hidden) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Hidden.class},
                                                   new Handler());
        System.out.println(h.hidden() + " " + Modifier.isPublic(h.getClass().getModifiers()) + " ["
                           + h.getClass().getPackageName() + "]");
        Object both = Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Same1.class, Same2.class},
                                             new Handler());
        System.out.println(((Same1) both).same() + " " + ((Same2) both).same());
        List<?> l = (List<?>) Proxy.newProxyInstance(null, new Class<?>[] {List.class},
            (p, m, a)
                -> m.getReturnType() == int.class    ? 42
                : m.getReturnType() == boolean.class ? Boolean.TRUE
                                                     : null);
        System.out.println(l.size() + " " + l.isEmpty() + " " + l.get(3));
        Object twice = Proxy.newProxyInstance(Proxies.class.getClassLoader(),
                                              new Class<?>[] {Calc.class, Runnable.class}, new Handler());
        System.out.println(twice.getClass() == c.getClass());
        for (Class<?>[] bad :
             new Class<?>[][] {{String.class}, {Runnable.class, Runnable.class}, {int.class}, {null}}) {
            try {
                Proxy.newProxyInstance(Proxies.class.getClassLoader(), bad, new Handler());
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        try {
            Proxy.newProxyInstance(null, new Class<?>[] {Calc.class}, new Handler());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class}, null);
        } catch (NullPointerException e) {
            System.out.println("null handler");
        }
        try {
            Proxy.getInvocationHandler("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Method m = Calc.class.getMethod("add", int.class, int.class);
        System.out.println(m.invoke(c, 5, 6));
    }
}
