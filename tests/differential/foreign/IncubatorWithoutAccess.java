// jdk.incubator.foreign of 17: restricted methods in a module that may not call them.
import jdk.incubator.foreign.*;

import static jdk.incubator.foreign.CLinker.*;

public class IncubatorWithoutAccess {
    interface Body { void run() throws Throwable; }
    static void attempt(String what, Body body) {
        try {
            body.run();
            System.out.println(what + ": nothing thrown");
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName() + ": "
                + String.valueOf(t.getMessage()).replaceAll("[0-9]{9,}|0x[0-9a-f]+", "#")
                .replaceAll("@[0-9a-f]+", "@#"));
        }
    }

    public static void main(String[] args) throws Throwable {
        System.load(System.getProperty("functions"));
        CLinker[] linker = new CLinker[1];
        attempt("linker", () -> linker[0] = CLinker.getInstance());
        attempt("lookup", () -> System.out.println(CLinker.systemLookup().lookup("strlen").isPresent()));
        attempt("allocate", () -> System.out.println(allocateMemory(8).toRawLongValue() != 0));
        System.out.println(linker[0] != null);
    }
}
