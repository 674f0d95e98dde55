import java.lang.instrument.Instrumentation;

public class LateAgent {
    public static void agentmain(String options, Instrumentation inst) throws Exception {
        System.out.println("late agent: " + options + " on " + Thread.currentThread().getName() + " "
                           + inst.isRetransformClassesSupported());
        for (Class<?> c : inst.getAllLoadedClasses())
            if (c.getName().equals("Target")) {
                inst.retransformClasses(c);
                System.out.println("retransformed " + c);
            }
    }
}
