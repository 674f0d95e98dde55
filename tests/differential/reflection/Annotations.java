// Annotations on every kind of element: retention, inheritance, repetition, defaults, type annotations, equality,
// missing values.
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.Arrays;
import java.util.function.Function;

public class Annotations {
    enum Level { LOW, HIGH }
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nested {
        String value() default "n";
        int[] nums() default {};
    }
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Documented
    @interface Full {
        boolean z() default true;
        byte b() default 1;
        char c() default 'c';
        short s() default 2;
        int i() default 3;
        long l() default 4;
        float f() default 5.5f;
        double d() default 6.5;
        String t() default "text";
        Class<?> k() default String.class;
        Level e() default Level.LOW;
        Nested n() default @Nested;
        int[] ia() default {1, 2};
        String[] sb() default {"a"};
        Class<?>[] ka() default {int.class, int[].class};
        Level[] ea() default {};
        Nested[] nas() default { @Nested("x"), @Nested(nums = 9) };
    }
    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.CONSTRUCTOR,
             ElementType.LOCAL_VARIABLE})
    @interface Tag {
        String value();
    }
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.CONSTRUCTOR,
             ElementType.LOCAL_VARIABLE})
    @interface Tags {
        Tag[] value();
    }
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface TU {
        int value() default 0;
    }
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_PARAMETER)
    @interface TP {}
    @Retention(RetentionPolicy.CLASS)
    @interface ClassOnly {}
    @Retention(RetentionPolicy.SOURCE)
    @interface SourceOnly {}

    @Full(z = false, e = Level.HIGH, l = Long.MIN_VALUE, c = '\'', t = "q\"uo\\te\n", d = Double.NaN, f = 1f / 3)
    @Tag("one")
    @Tag("two")
    @ClassOnly
    @SourceOnly
    static class Target1<@TP T extends @TU(1) Object> extends @TU(2) Object implements @TU(3) Runnable {
        @Tag("field") @TU(4) int @TU(5)[] @TU(6)[] field;
        @Tag("ctor")
        Target1(@Tag("p0") @Tag("p1") int a, String b) {}
        @Deprecated(since = "9", forRemoval = true)
        @Tag("method")
        public @TU(7) String method(@TU(8) Function<@TU(9) ? super @TU(10) String, T> f, @Tag("param") int... x)
            throws @TU(11) Exception {
            @Tag("local") int l = 0;
            return "";
        }
        public void run() {}
    }
    static class Child extends Target1<String> {
        Child() { super(1, ""); }
    }
    class Inner {
        Inner(@Tag("inner") int x) {}
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Target1.class;
        for (Annotation a : c.getAnnotations()) System.out.println(a);
        System.out.println(Arrays.toString(c.getAnnotationsByType(Tag.class)) + " " + c.getAnnotation(Tag.class) + " "
                           + Arrays.toString(Child.class.getAnnotations()).length() + " "
                           + Child.class.getDeclaredAnnotations().length + " "
                           + Child.class.isAnnotationPresent(Full.class) + Child.class.isAnnotationPresent(Tags.class));
        Full f = c.getAnnotation(Full.class);
        System.out.println(f.z() + " " + f.e() + " " + f.l() + " " + f.k() + " " + Arrays.toString(f.ia())
                           + f.nas()[1].nums()[0] + " " + f.annotationType() + " "
                           + f.equals(Child.class.getAnnotation(Full.class)) + " " + f.equals("x") + " "
                           + Nested.class.getMethod("value").getDefaultValue());
        int[] copy = f.ia();
        copy[0] = 99;
        System.out.println(f.ia()[0]);
        Field fld = c.getDeclaredField("field");
        System.out.println(Arrays.toString(fld.getAnnotations()) + " " + fld.getAnnotatedType() + " "
            + ((AnnotatedArrayType) fld.getAnnotatedType()).getAnnotatedGenericComponentType());
        Constructor<?> k = c.getDeclaredConstructors()[0];
        System.out.println(Arrays.toString(k.getAnnotations()) + Arrays.deepToString(k.getParameterAnnotations()));
        Method m = c.getMethod("method", Function.class, int[].class);
        System.out.println(Arrays.toString(m.getAnnotations()) + Arrays.deepToString(m.getParameterAnnotations()) + " "
                           + m.getAnnotatedReturnType() + " " + Arrays.toString(m.getAnnotatedParameterTypes())
                           + Arrays.toString(m.getAnnotatedExceptionTypes()));
        System.out.println(c.getAnnotatedSuperclass() + " " + Arrays.toString(c.getAnnotatedInterfaces()) + " "
                           + Arrays.toString(c.getTypeParameters()[0].getAnnotations())
                           + Arrays.toString(c.getTypeParameters()[0].getAnnotatedBounds()));
        System.out.println(Arrays.deepToString(Inner.class.getDeclaredConstructors()[0].getParameterAnnotations()) + " "
            + m.getParameters()[1].getAnnotation(Tag.class));
        System.out.println(m.isAnnotationPresent(Deprecated.class) + " " + m.getAnnotation(Deprecated.class).since()
                           + " " + FunctionalInterface.class.getAnnotation(Retention.class).value() + " "
                           + Runnable.class.isAnnotationPresent(FunctionalInterface.class));
        Nested n1 = f.nas()[0], n2 = f.nas()[0];
        System.out.println(n1.equals(n2) + " " + (n1.hashCode() == n2.hashCode()) + " " + n1.hashCode() + " " + n1
                           + Proxy.isProxyClass(n1.getClass()));
    }
}
