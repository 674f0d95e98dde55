// Loops whose condition stands behind their body, as some compilers write them: the way in leads to the condition, so
// what is known there at first does not hold for the turns that follow. In a method, and in one that it calls.
public class ConditionBehindLoop {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;
    static final String LOOP = "iconst_0\n istore_1\n iconst_0\n istore_2\n goto test\n body:\n iinc 2 1\n iload_2\n"
        + " iload_0\n if_icmplt test\n iconst_1\n istore_1\n test:\n iload_1\n ifeq body\n iload_2\n ireturn";

    public static void main(String[] args) throws Throwable {
        Class<?> c = ClassAssembler.load(
            new ClassAssembler(49, "Behind")
                .method(S, "turns", "(I)I", 2, 3, LOOP)
                .method(S, "calls", "(I)I", 2, 1,
                        "iload_0\n invokestatic Behind.turns (I)I\n iconst_1\n iadd\n ireturn"));
        long sum = 0;
        for (int i = 0; i < 15_000; i++) {
            sum = sum * 31 + (int) ClassAssembler.call(c, "turns", i % 7);
            sum += (int) ClassAssembler.call(c, "calls", i % 5);
        }
        System.out.println(sum);
    }
}
