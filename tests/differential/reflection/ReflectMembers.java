// Reading the shape of classes: declared members, modifiers, parameters, exceptions, generic types, order-free.
import java.lang.reflect.*;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

public class ReflectMembers {
    public static abstract class Sample<T extends Number & Comparable<T>>
        implements Comparable<Sample<T>>, java.io.Serializable {
        private static final long serialVersionUID = 1L;
        protected transient volatile int field;
        public final List<? extends T> list = null;
        Map<String, T[]>[] maps;
        int[][] grid;
        public Sample() {}
        protected Sample(int a, String... rest) throws java.io.IOException, IllegalStateException {}
        private <X> Sample(X x, T t) {}
        public synchronized final strictfp double calc(long a, double[] b) { return 0; }
        protected abstract <E extends Exception> T generic(Class<? super T> c, List<E> l) throws E;
        static native void nat();
        public int compareTo(Sample<T> o) { return 0; }
        class Inner {
            Inner(int x) {}
        }
        interface Iface {
            void m();
            default int d() { return 1; }
            static int s() { return 2; }
        }
        enum En {
            A {
                void x() {}
            };
            void x() {}
        }
        @interface Ann { int value() default 5; }
    }

    static void show(Class<?> c) {
        System.out.println("== " + c + " " + c.toGenericString());
        System.out.println(c.getName() + " " + Modifier.toString(c.getModifiers()) + " super "
                           + c.getGenericSuperclass() + " interfaces " + Arrays.toString(c.getGenericInterfaces())
                           + " package [" + c.getPackageName() + "] " + c.isInterface() + c.isEnum() + c.isAnnotation()
                           + c.isArray() + c.isPrimitive() + c.isSynthetic());
        List<String> lines = new ArrayList<>();
        for (Field f : c.getDeclaredFields())
            lines.add("F " + f + " | " + f.toGenericString() + " " + f.isSynthetic() + f.isEnumConstant());
        for (Method m : c.getDeclaredMethods())
            lines.add("M " + m + " | " + m.toGenericString() + " " + m.getParameterCount() + m.isVarArgs()
                      + m.isBridge() + m.isDefault() + " " + m.getDefaultValue()
                      + Arrays.toString(m.getExceptionTypes()));
        for (Constructor<?> k : c.getDeclaredConstructors())
            lines.add("C " + k + " | " + k.toGenericString() + " " + Arrays.toString(k.getParameters()) + k.isVarArgs()
                + Arrays.toString(k.getGenericParameterTypes()));
        for (Class<?> k : c.getDeclaredClasses()) lines.add("D " + k);
        lines.sort(null);
        lines.forEach(System.out::println);
    }

    public static void main(String[] args) throws Exception {
        show(Sample.class);
        for (Class<?> c : List.of(Sample.Inner.class, Sample.Iface.class, Sample.En.class, Sample.Ann.class,
                                  Runnable.class, int.class, int[][].class, Override.class, Comparable.class))
            show(c);
        System.out.println(Sample.class.getMethod("compareTo", Object.class) + " " + Sample.class.getField("list") + " "
                           + Sample.class.getConstructor());
        for (String bad : List.of("getMethod", "getField", "getDeclaredMethod", "getDeclaredField", "getConstructor")) {
            try {
                switch (bad) {
                    case "getMethod" -> Sample.class.getMethod("nat");
                    case "getField" -> Sample.class.getField("field");
                    case "getDeclaredMethod" -> Sample.class.getDeclaredMethod("calc", int.class);
                    case "getDeclaredField" -> Sample.class.getDeclaredField("nothing");
                    default -> Sample.class.getConstructor(int.class, String[].class);
                }
            } catch (ReflectiveOperationException e) {
                System.out.println(e);
            }
        }
        TypeVariable<?> t = Sample.class.getTypeParameters()[0];
        System.out.println(t + " " + Arrays.toString(t.getBounds()) + " " + t.getGenericDeclaration());
        ParameterizedType p = (ParameterizedType) Sample.class.getDeclaredField("list").getGenericType();
        WildcardType w = (WildcardType) p.getActualTypeArguments()[0];
        System.out.println(p.getRawType() + " " + Arrays.toString(w.getUpperBounds())
            + Arrays.toString(w.getLowerBounds()) + " "
            + ((GenericArrayType) Sample.class.getDeclaredField("maps").getGenericType()).getGenericComponentType());
        System.out.println(int.class.arrayType() + " " + String[][].class.componentType()
            + " " + String.class.descriptorString()
            + int[].class.descriptorString() + " " + Integer.class.isInstance(5)
            + Number.class.isAssignableFrom(Integer.class)
            + Object[].class.isAssignableFrom(int[][].class) + Object.class.isAssignableFrom(int.class)
            + Class.forName("[[Ljava.lang.String;") + Class.forName("[I").getComponentType());
        System.out.println(Map.Entry.class.getName() + " " + Thread.State.class.getEnclosingClass()
            + " " + Object.class.getModule() + " "
            + ReflectMembers.class.getModule().isNamed() + " " + String.class.getPackage() + " "
            + ReflectMembers.class.getPackage().getName().isEmpty());
        System.out.println(List.class.asSubclass(Iterable.class)
            + " " + Integer.TYPE + " " + Void.TYPE + " " + Integer.class.cast(5));
        try { List.class.asSubclass(String.class); } catch (ClassCastException e) { System.out.println(e.getMessage());
            }
        try { String.class.cast(5); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
    }
}
