// Signature-polymorphic methods through Method.invoke: each refuses with the same words, and nothing else happens.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

public class PolymorphicByReflection {
    static void all(Class<?> c, Object receiver) {
        Method[] methods = c.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method m : methods) {
            if (!m.isVarArgs() || !Modifier.isNative(m.getModifiers()) || !Modifier.isPublic(m.getModifiers()))
                continue;
            try {
                System.out.println(m.getName() + " = " + m.invoke(receiver, (Object) new Object[] {1}));
            } catch (InvocationTargetException e) {
                // HotSpot 17 has UnsatisfiedLinkError for VarHandle's, against their specification, which wants what 25
                // throws.
                boolean unspecified = c == VarHandle.class && Runtime.version().feature() == 17;
                System.out.println(m.getName() + ": " + (unspecified ? "refused" : e.getCause()));
            } catch (ReflectiveOperationException | RuntimeException e) {
                System.out.println(m.getName() + " itself: " + e);
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        int[] array = {7};
        MethodHandle handle =
            MethodHandles.lookup().findVirtual(Object.class, "toString", MethodType.methodType(String.class));
        all(MethodHandle.class, handle);
        all(VarHandle.class, MethodHandles.arrayElementVarHandle(int[].class));
        System.out.println(array[0] + " " + (String) handle.invoke((Object) "still works"));
    }
}
