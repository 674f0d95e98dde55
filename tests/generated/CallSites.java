import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The bootstrap method of the generated programs. */
public final class CallSites {
    private CallSites() {}

    /** A call site of the caller's static method of this name and type. */
    public static CallSite ofName(MethodHandles.Lookup lookup, String name, MethodType type)
        throws NoSuchMethodException, IllegalAccessException {
        return new ConstantCallSite(lookup.findStatic(lookup.lookupClass(), name, type));
    }
}
