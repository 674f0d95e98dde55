// Hidden classes of lambdas, string concatenation and method handles, and classes of loaders that nobody keeps, while
// growing class metadata asks for collections all the time: what is being defined or linked does not go.
import java.lang.invoke.*;
import java.lang.reflect.Proxy;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class CollectedWhileDefined {
    record Point(int x, String y, long z) {}
    interface Shape { String name(); default String twice() { return name() + name(); } }

    static byte[] bytes;
    static class Loader extends ClassLoader {
        Class<?> define() { return defineClass("CollectedWhileDefined$Made", bytes, 0, bytes.length); }
    }
    static class Made {
        public static String text(int i) { IntFunction<String> f = n -> "made " + n; return f.apply(i); }
    }

    public static void main(String[] args) throws Throwable {
        long sum = 0;
        List<Supplier<Object>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int n = i;
            all.add(() -> n);
            all.add(() -> "text " + n + new Point(n, "p", n));
            all.add(() -> Stream.of(1, 2, 3).map(k -> k * n).collect(Collectors.toList()));
        }
        for (Supplier<Object> s : all) sum = sum * 31 + s.get().hashCode();
        System.out.println(sum);
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle concat = l.findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class));
        for (int i = 1; i < 12; i++) {
            Class<?> type = i % 2 == 0 ? int.class : Object.class;
            MethodHandle h = MethodHandles.dropArguments(concat, 2, Collections.nCopies(i, type));
            Object[] given = Stream.concat(Stream.of("a", "b"), Stream.generate(() -> (Object) 7).limit(i)).toArray();
            System.out.println(h.type().parameterCount() + " " + h.invokeWithArguments(given));
        }
        Shape s = (Shape) Proxy.newProxyInstance(Shape.class.getClassLoader(), new Class<?>[] {Shape.class},
                                                 (p, m, a) -> m.isDefault() ? inherited(p, m) : m.getName());
        System.out.println(s.name() + " " + s.twice());
        bytes = CollectedWhileDefined.class.getResourceAsStream("CollectedWhileDefined$Made.class").readAllBytes();
        for (int i = 0; i < 30; i++) {
            Class<?> c = new Loader().define();
            var m = c.getDeclaredMethod("text", int.class);
            m.setAccessible(true);
            System.out.print(m.invoke(null, i) + " ");
        }
        System.out.println();
    }

    static Object inherited(Object p, java.lang.reflect.Method m) throws Throwable {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Shape.class, MethodHandles.lookup());
        return inside.unreflectSpecial(m, Shape.class).bindTo(p).invoke();
    }
}
