import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.utility.JavaModule;

/** Classes changed with Byte Buddy's agent, at load time and while they run. */
public class Program {
    static Instrumentation inst;

    static AgentBuilder atLoad() {
        return new AgentBuilder.Default().ignore(none()).with(new AgentBuilder.Listener.Adapter() {
            @Override
            public void onTransformation(TypeDescription type, ClassLoader loader, JavaModule module, boolean loaded,
                                         DynamicType changed) {
                System.out.println("transformed " + type + ", loaded before: " + loaded);
            }
            @Override
            public void onError(String type, ClassLoader loader, JavaModule module, boolean loaded, Throwable t) {
                System.out.println("error " + type);
                t.printStackTrace(System.out);
            }
        });
    }

    static AgentBuilder builder() {
        return atLoad().with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION).disableClassFormatChanges();
    }

    static AgentBuilder.Transformer advice(Class<?> advice, String method) {
        return (b, type, loader, module, domain) -> b.visit(Advice.to(advice).on(named(method)));
    }

    /** A class that is loaded already, and in use. */
    static void retransformed() throws Exception {
        Changed changed = new Changed();
        System.out.println(changed.greet("ann", 3));
        ResettableClassFileTransformer first =
            builder().type(named("Changed")).transform(advice(Advices.Around.class, "greet")).installOn(inst);
        System.out.println(changed.greet("ann", 3));
        ResettableClassFileTransformer second =
            builder().type(named("Changed")).transform(advice(Advices.Rescue.class, "divide")).installOn(inst);
        System.out.println(changed.greet("bob", 1L << 40) + " " + changed.divide(7, 2) + " " + changed.divide(7, 0)
                           + " " + changed.calls());
        System.out.println("reset " + first.reset(inst, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION));
        System.out.println(changed.greet("ann", 3) + " " + changed.divide(7, 0));
        System.out.println("reset " + second.reset(inst, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION));
        try {
            System.out.println(changed.divide(7, 0));
        } catch (ArithmeticException e) {
            System.out.println("original again: " + e.getMessage() + " " + changed.calls());
        }
        System.out.println("entered " + Advices.entered.get());
    }

    /** A frame of the old method goes on with it; what it calls is new. */
    static void whileItRuns() throws Exception {
        Changed changed = new Changed();
        ResettableClassFileTransformer[] made = new ResettableClassFileTransformer[1];
        System.out.println(changed.during(()
                                              -> made[0] = builder()
                                                               .type(named("Changed"))
                                                               .transform(advice(Advices.Plus.class, "answer"))
                                                               .installOn(inst)));
        System.out.println(
            changed.during(() -> made[0].reset(inst, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)));
    }

    static void boot() {
        System.out.println(Changed.joined());
        ResettableClassFileTransformer t = builder()
                                               .type(named("java.util.StringJoiner"))
                                               .transform(advice(Advices.Brackets.class, "toString"))
                                               .installOn(inst);
        System.out.println(Changed.joined());
        System.out.println("reset " + t.reset(inst, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION));
        System.out.println(Changed.joined());
    }

    public static void constructed() { System.out.println("constructed"); }

    /**
     * Members may be added to a class when it is loaded: the original methods under other names, and helper classes
     * beside it.
     */
    static void late() {
        atLoad()
            .type(named("Late"))
            .transform(
                (b, type, loader, module, domain)
                    -> b.method(named("describe"))
                           .intercept(MethodDelegation.to(Advices.Delegate.class))
                           .constructor(isConstructor())
                           .intercept(SuperMethodCall.INSTANCE.andThen(MethodDelegation.withDefaultConfiguration()
                                                                           .filter(named("constructed"))
                                                                           .to(Program.class)))
                           .defineField("added", int.class, java.lang.reflect.Modifier.PUBLIC))
            .installOn(inst);
        System.out.println(new Late("late").describe(5));
        try {
            System.out.println(Late.class.getField("added").getType() + " " + Late.made);
        } catch (NoSuchFieldException e) {
            System.out.println(e);
        }
    }

    static void redefined() throws Exception {
        ClassReloadingStrategy strategy = ClassReloadingStrategy.of(inst);
        new ByteBuddy()
            .redefine(Changed.class)
            .method(named("plain"))
            .intercept(FixedValue.value(7))
            .make()
            .load(Changed.class.getClassLoader(), strategy);
        System.out.print(Changed.plain(1));
        strategy.reset(ClassFileLocator.ForClassLoader.of(Changed.class.getClassLoader()), Changed.class);
        System.out.println(" " + Changed.plain(1));
    }

    static void subclass() throws Exception {
        Class<? extends Changed> c = new ByteBuddy()
                                         .subclass(Changed.class)
                                         .method(named("answer"))
                                         .intercept(FixedValue.value(1))
                                         .method(named("greet"))
                                         .intercept(MethodDelegation.to(Advices.Delegate.class))
                                         .make()
                                         .load(Changed.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
                                         .getLoaded();
        Changed made = c.getDeclaredConstructor().newInstance();
        System.out.println(made.answer() + " " + made.greet("sub", 2) + " " + made.divide(9, 3));
        byte[] bytes = ClassFileLocator.ForInstrumentation.of(inst, c).locate(c.getName()).resolve();
        System.out.println("located " + (bytes[0] & 0xff) + " " + (bytes.length > 500));
    }

    /** Threads call a method that is changed and restored under them: every call gives the one result or the other. */
    static void threads() throws Exception {
        AtomicBoolean stop = new AtomicBoolean(), wrong = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> {
                Changed changed = new Changed();
                while (!stop.get()) {
                    int n = changed.answer();
                    if (n != 42 && n != 1042) wrong.set(true);
                }
            });
            t.start();
            threads.add(t);
        }
        AgentBuilder quiet = new AgentBuilder.Default()
                                 .ignore(none())
                                 .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                                 .disableClassFormatChanges();
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            ResettableClassFileTransformer t =
                quiet.type(named("Changed")).transform(advice(Advices.Plus.class, "answer")).installOn(inst);
            sum += new Changed().answer();
            t.reset(inst, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
            sum += new Changed().answer();
        }
        stop.set(true);
        for (Thread t : threads) t.join();
        System.out.println("threads " + sum + " " + wrong);
    }

    public static void main(String[] args) throws Exception {
        inst = ByteBuddyAgent.install();
        System.out.println("instrumentation: " + inst.isRedefineClassesSupported() + " "
                           + inst.isRetransformClassesSupported());
        retransformed();
        if (args.length > 0) return;                          // the rest needs no second look
        whileItRuns();
        boot();
        late();
        redefined();
        subclass();
        threads();
        for (Method m : Changed.class.getDeclaredMethods()) if (m.isSynthetic()) System.out.println("left over: " + m);
    }
}
