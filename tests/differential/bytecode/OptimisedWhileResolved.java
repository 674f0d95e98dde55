// One thread resolves the constants of a method, one after the other, while another one calls it so often that an
// optimising compiler takes it. Whether a constant is there before the compiler looks, while it looks, or behind it:
// it stays what it is.
import java.util.function.IntFunction;

public class OptimisedWhileResolved {
    static final int CLASSES = 100, CASES = 200;
    static volatile int calls;

    /** A method that says which text has that number. */
    static IntFunction<?> texts() throws Exception {
        StringBuilder ways = new StringBuilder(), cases = new StringBuilder();
        for (int k = 0; k < CASES; k++) {
            ways.append(" L").append(k);
            cases.append("L").append(k).append(k == 0 ? ":\n .frame same_extended\n" : ":\n .frame same\n");
            cases.append(" ldc_w \"text ").append(k).append("\"\n areturn\n");
        }
        var c = new ClassAssembler(52, ClassAssembler.PUBLIC | ClassAssembler.SUPER, "Texts", "java/lang/Object",
                                   "java/util/function/IntFunction");
        c.method(ClassAssembler.PUBLIC, "<init>", "()V", 1, 1,
                 "aload_0\n invokespecial java/lang/Object.<init> ()V\n return");
        c.method(ClassAssembler.PUBLIC, "apply", "(I)Ljava/lang/Object;", 1, 2,
                 "iload_1\n tableswitch 0" + ways + " : none\n" + cases
                     + "none:\n .frame same\n aconst_null\n areturn");
        return (IntFunction<?>) ClassAssembler.load(c).getConstructor().newInstance();
    }

    static int wrong(IntFunction<?> texts) {
        int n = 0;
        for (int k = 0; k < CASES; k++)
            if (!("text " + k).equals(texts.apply(k))) n++;
        return n;
    }

    public static void main(String[] arguments) throws Exception {
        int wrong = 0;
        for (int i = 0; i < CLASSES; i++) {
            IntFunction<?> texts = texts();
            int begin = 4000 + 50 * (i % 40);
            calls = 0;
            Thread resolver = new Thread(() -> {
                while (calls < begin) Thread.onSpinWait();
                wrong(texts);
            });
            resolver.start();
            for (int k = 0; k < 20_000; k++) {
                calls = k;
                if (texts.apply(-1) != null) wrong++;
            }
            resolver.join();
            wrong += wrong(texts);
        }
        System.out.println(wrong + " of " + CLASSES * CASES + " are wrong");
    }
}
