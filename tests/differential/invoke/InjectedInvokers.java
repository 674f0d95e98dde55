// A method that looks for its caller, called by a method handle: between them is a hidden class that the library
// defines by another name than the one in its class file, which is the same each time.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ResourceBundle;

public class InjectedInvokers {
    static class Nested {
        static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    }

    static void call(String what, MethodHandles.Lookup from) throws Throwable {
        MethodType type = MethodType.methodType(ResourceBundle.class, String.class);
        MethodHandle bundle = from.findStatic(ResourceBundle.class, "getBundle", type);
        try {
            System.out.println(bundle.invoke("no.such.bundle"));
        } catch (Exception e) {
            System.out.println(what + ": " + e.getMessage());
            for (StackTraceElement f : e.getStackTrace())
                if (f.getClassName().contains("InjectedInvoker/"))
                    System.out.println("  " + f.toString().replaceAll("0x[0-9a-f]+", "0x..."));
        }
    }

    public static void main(String[] args) throws Throwable {
        call("a class", MethodHandles.lookup());
        call("a nested class", Nested.lookup());
        byte[] bytes;
        try (var in = InjectedInvokers.class.getResourceAsStream("InjectedInvokers$Nested.class")) {
            bytes = in.readAllBytes();
        }
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(bytes, true);
        System.out.println(hidden.lookupClass().getName().replaceAll("0x[0-9a-f]+", "0x..."));
        call("a hidden class", hidden);
    }
}
