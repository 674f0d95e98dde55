import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bind.annotation.AllArguments;
import net.bytebuddy.implementation.bind.annotation.Origin;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.bytebuddy.implementation.bind.annotation.This;

/** Code that Byte Buddy copies into other classes, or lets them call. */
public class Advices {
    public static final AtomicInteger entered = new AtomicInteger();

    public static class Around {
        @Advice.OnMethodEnter
        static int enter(@Advice.Argument(value = 0, readOnly = false) String who, @Advice.Origin("#m") String method) {
            who = who.toUpperCase();
            Advices.entered.incrementAndGet();
            return method.length();
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter int length, @Advice.Return(readOnly = false) String value) {
            value = value + " (" + length + ")";
        }
    }

    public static class Rescue {
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Thrown(readOnly = false) Throwable t, @Advice.FieldValue("calls") int calls,
                         @Advice.Return(readOnly = false) int value) {
            if (t == null) return;
            value = -calls;
            t = null;
        }
    }

    public static class Plus {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) int value) { value = value + 1000; }
    }

    /** For a class of the boot loader: names nothing that only the class path has. */
    public static class Brackets {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) String value) { value = "<" + value + ">"; }
    }

    public static class Delegate {
        @RuntimeType
        public static Object call(@This Object self, @Origin Method method, @AllArguments Object[] args,
                                  @SuperCall Callable<?> original) throws Exception {
            return method.getName() + Arrays.toString(args) + "=" + original.call();
        }
    }
}
