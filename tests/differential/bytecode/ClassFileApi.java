// Classes written and read with java.lang.classfile: branches with stack maps of the newest version, switches,
// handlers, transforms.
import java.lang.classfile.*;
import java.lang.classfile.attribute.*;
import java.lang.classfile.instruction.*;
import java.lang.constant.*;
import java.lang.invoke.*;
import java.util.*;
import static java.lang.constant.ConstantDescs.*;

public class ClassFileApi {
    public static int sample(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            try {
                s += i % 3 == 0 ? i : 10 / (i % 3 - 1);
            } catch (ArithmeticException e) {
                s += 100;
            }
        }
        return s;
    }

    public static void main(String[] args) throws Throwable {
        ClassDesc made = ClassDesc.of("Made");
        byte[] bytes = ClassFile.of().build(
            made,
            cb
            -> cb.withFlags(ClassFile.ACC_PUBLIC)
                   .withField("count", CD_int, ClassFile.ACC_STATIC)
                   .withMethodBody(
                       "collatz", MethodTypeDesc.of(CD_int, CD_long), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                       c -> {
                           int steps = c.allocateLocal(TypeKind.INT);
                           Label top = c.newLabel(), odd = c.newLabel(), next = c.newLabel(), done = c.newLabel();
                           c.iconst_0()
                               .istore(steps)
                               .labelBinding(top)
                               .lload(0)
                               .lconst_1()
                               .lcmp()
                               .ifeq(done)
                               .iinc(steps, 1)
                               .lload(0)
                               .loadConstant(1L)
                               .land()
                               .lconst_0()
                               .lcmp()
                               .ifne(odd)
                               .lload(0)
                               .loadConstant(2L)
                               .ldiv()
                               .lstore(0)
                               .goto_(next)
                               .labelBinding(odd)
                               .lload(0)
                               .loadConstant(3L)
                               .lmul()
                               .lconst_1()
                               .ladd()
                               .lstore(0)
                               .labelBinding(next)
                               .goto_(top)
                               .labelBinding(done)
                               .iload(steps)
                               .ireturn();
                       })
                   .withMethodBody("guarded", MethodTypeDesc.of(CD_String, CD_Object),
                                   ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                   c
                                   -> c.trying(t
                                               -> t.aload(0)
                                                      .checkcast(CD_String)
                                                      .invokevirtual(CD_String, "trim", MethodTypeDesc.of(CD_String))
                                                      .areturn(),
                                               k
                                               -> k.catching(ClassDesc.of("java.lang.ClassCastException"),
                                                             h -> h.pop().ldc("not a string").areturn())
                                                      .catching(ClassDesc.of("java.lang.NullPointerException"),
                                                                h
                                                                -> h.invokevirtual(CD_Throwable, "getMessage",
                                                                                   MethodTypeDesc.of(CD_String))
                                                                       .areturn())))
                   .withMethodBody("select", MethodTypeDesc.of(CD_int, CD_int),
                                   ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, c -> {
                                       Label a = c.newLabel(), b = c.newLabel(), d = c.newLabel();
                                       c.iload(0)
                                           .lookupswitch(d, List.of(SwitchCase.of(-1000, a), SwitchCase.of(5, b),
                                                                    SwitchCase.of(1 << 30, a)))
                                           .labelBinding(a)
                                           .bipush(10)
                                           .ireturn()
                                           .labelBinding(b)
                                           .iload(0)
                                           .tableswitch(3, 6, d, List.of(SwitchCase.of(3, a), SwitchCase.of(5, a)))
                                           .labelBinding(d)
                                           .sipush(-300)
                                           .ireturn();
                                   }));
        MethodHandles.Lookup l = MethodHandles.lookup().defineHiddenClass(bytes, true);
        Class<?> k = l.lookupClass();
        for (long n : new long[] {1, 6, 27, 97})
            System.out.print(k.getMethod("collatz", long.class).invoke(null, n) + " ");
        for (Object o : new Object[] {" trimmed ", 5, null})
            System.out.print(k.getMethod("guarded", Object.class).invoke(null, o) + "; ");
        for (int i : new int[] {-1000, 5, 1 << 30, 0})
            System.out.print(k.getMethod("select", int.class).invoke(null, i) + " ");
        System.out.println();
        ClassModel m =
            ClassFile.of().parse(ClassFileApi.class.getResourceAsStream("ClassFileApi.class").readAllBytes());
        System.out.println(m.thisClass().asInternalName() + " " + m.majorVersion() + " "
                           + m.methods()
                                 .stream()
                                 .map(x -> x.methodName().stringValue())
                                 .filter(x -> !x.startsWith("lambda"))
                                 .sorted()
                                 .toList());
        Map<String, Integer> ops = new TreeMap<>();
        for (CodeElement e :
             m.methods().stream().filter(x -> x.methodName().equalsString("sample")).findFirst().get().code().get())
            if (e instanceof Instruction i) ops.merge(i.opcode().name(), 1, Integer::sum);
        System.out.println(ops);
        byte[] changed =
            ClassFile.of()
                .transformClass(m, ClassTransform
                                       .transformingMethodBodies(x -> x.methodName().equalsString("sample"), (b, e) -> {
                                           if (e instanceof OperatorInstruction o && o.opcode() == Opcode.IDIV)
                                               b.imul();
                                           else b.with(e);
                                       }));
        Class<?> t = new ClassAssembler.Loader(ClassFileApi.class.getClassLoader())
                         .add("ClassFileApi", changed)
                         .loadClass("ClassFileApi");
        System.out.println(sample(20) + " " + t.getMethod("sample", int.class).invoke(null, 20));
        System.out.println(ClassFile.of().verify(bytes) + " "
                           + m.findAttribute(Attributes.sourceFile()).map(SourceFileAttribute::sourceFile).get() + " "
                           + m.constantPool().entryByIndex(1).tag());
        try {
            ClassFile.of().parse(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
