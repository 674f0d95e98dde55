// Restricted methods without --enable-native-access: a warning, once for each module.
import java.lang.foreign.*;

import static java.lang.foreign.ValueLayout.*;

public class NativeAccessWarns {
    public static void main(String[] args) throws Throwable {
        Linker linker = Linker.nativeLinker();
        System.out.println(NativeAccessWarns.class.getModule().isNativeAccessEnabled());
        try {
            var strlen = linker.downcallHandle(linker.defaultLookup().find("strlen").orElseThrow(),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS));
            System.out.println((long) strlen.invokeExact(Arena.global().allocateFrom("five!")));
            System.out.println(MemorySegment.ofAddress(8).reinterpret(4).byteSize());
        } catch (IllegalCallerException e) {
            System.out.println(e);
        }
        try {
            System.loadLibrary("no_such_library");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        } catch (IllegalCallerException e) {
            System.out.println(e);
        }
    }
}
