// describeConstable of variable handles, above all of static fields: the description, and the handle that it resolves
// to.
import java.lang.constant.Constable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;

public class NominalVarHandles {
    static Object object = "object";
    static int number = 1;
    static final long FIXED = 2;
    static volatile boolean flag;
    static byte b;
    static char c;
    static short s;
    static float f;
    static double d;
    int instance;

    static class Generic<T> {
        static String name;
        T value;
    }
    interface Constants {
        String TEXT = String.valueOf("text");
    }

    static void show(VarHandle h) throws Exception {
        Optional<? extends Constable> description = h.describeConstable().map(x -> (Constable) x.toString());
        System.out.println(h + ": " + description);
        VarHandle again = h.describeConstable().get().resolveConstantDesc(MethodHandles.lookup());
        System.out.println(again.equals(h) + " " + again.varType() + again.coordinateTypes());
    }

    public static void main(String[] args) throws Exception {
        var lookup = MethodHandles.lookup();
        Class<?>[] types = {Object.class, int.class, long.class, boolean.class, byte.class, char.class, short.class,
                            float.class, double.class};
        String[] names = {"object", "number", "FIXED", "flag", "b", "c", "s", "f", "d"};
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < names.length; i++)
                show(lookup.findStaticVarHandle(NominalVarHandles.class, names[i], types[i]));
        }
        show(lookup.findStaticVarHandle(Generic.class, "name", String.class));
        show(lookup.findStaticVarHandle(Constants.class, "TEXT", String.class));
        show(lookup.findVarHandle(NominalVarHandles.class, "instance", int.class));
        show(lookup.findVarHandle(Generic.class, "value", Object.class));
        show(MethodHandles.arrayElementVarHandle(int[].class));
        System.out.println(MethodHandles.byteArrayViewVarHandle(int[].class, java.nio.ByteOrder.BIG_ENDIAN)
                               .describeConstable());
    }
}
