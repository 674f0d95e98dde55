// Hand-assembled methods which together contain every instruction of the class file format up to version 48.
import java.util.Arrays;

public class EveryInstruction {
    static final int S = ClassAssembler.PUBLIC | ClassAssembler.STATIC;

    static ClassAssembler build() {
        ClassAssembler a = new ClassAssembler(48, "All");
        a.field(S, "si", "I")
            .field(S, "sj", "J")
            .field(S, "sd", "D")
            .field(S, "sa", "Ljava/lang/Object;")
            .field(ClassAssembler.PUBLIC, "fi", "I")
            .field(ClassAssembler.PUBLIC, "fj", "J")
            .field(S | ClassAssembler.FINAL, "ck", "J", "77L")
            .field(S | ClassAssembler.FINAL, "cs", "Ljava/lang/String;", "\"constant\"");
        a.constructor("java/lang/Object");
        a.method(S, "constants", "()D", 12, 0, """
            nop
            iconst_m1
            iconst_0
            iadd
            iconst_1
            iadd
            iconst_2
            imul
            iconst_3
            isub
            iconst_4
            ior
            iconst_5
            ixor
            bipush -100
            iadd
            sipush -30000
            iadd
            ldc 123456789
            iadd
            ldc_w 987654321
            iadd
            i2d
            ldc2_w 12345678901234L
            l2d
            dadd
            ldc2_w 2.5d
            dmul
            lconst_0
            lconst_1
            ladd
            l2d
            dadd
            fconst_0
            fconst_1
            fadd
            fconst_2
            fmul
            ldc 0.5f
            fdiv
            f2d
            dsub
            dconst_0
            dadd
            dconst_1
            dadd
            dreturn
            """);
        a.method(S, "locals", "(IJFDLjava/lang/Object;)Ljava/lang/String;", 6, 40, """
            iload 0
            istore 20
            lload 1
            lstore 21
            fload 3
            fstore 23
            dload 4
            dstore 24
            aload 6
            astore 26
            iload 20
            istore_0
            iload_0
            istore_1
            iload_1
            istore_2
            iload_2
            istore_3
            iload_3
            i2l
            lstore_0
            lload_0
            lstore_1
            lload_1
            lstore_2
            lload_2
            lstore_3
            lload_3
            lload 21
            ladd
            lstore 21
            fload 23
            fstore_0
            fload_0
            fstore_1
            fload_1
            fstore_2
            fload_2
            fstore_3
            fload_3
            f2d
            dstore_0
            dload_0
            dstore_1
            dload_1
            dstore_2
            dload_2
            dstore_3
            dload_3
            dload 24
            dadd
            dstore 24
            aload 26
            astore_0
            aload_0
            astore_1
            aload_1
            astore_2
            aload_2
            astore_3
            new java/lang/StringBuilder
            dup
            invokespecial java/lang/StringBuilder.<init> ()V
            aload_3
            invokevirtual java/lang/StringBuilder.append (Ljava/lang/Object;)Ljava/lang/StringBuilder;
            lload 21
            invokevirtual java/lang/StringBuilder.append (J)Ljava/lang/StringBuilder;
            dload 24
            invokevirtual java/lang/StringBuilder.append (D)Ljava/lang/StringBuilder;
            iinc 20 100
            iinc 20 -3
            iload 20
            invokevirtual java/lang/StringBuilder.append (I)Ljava/lang/StringBuilder;
            invokevirtual java/lang/StringBuilder.toString ()Ljava/lang/String;
            areturn
            """);
        a.method(S, "wides", "(IJFDLjava/lang/Object;)Ljava/lang/String;", 6, 700, """
            wide iload 0
            wide istore 600
            wide lload 1
            wide lstore 601
            wide fload 3
            wide fstore 603
            wide dload 4
            wide dstore 604
            wide aload 6
            wide astore 606
            wide iinc 600 30000
            wide iinc 600 -1
            wide iload 600
            i2l
            wide lload 601
            ladd
            wide lstore 601
            jsr sub
            wide fload 603
            f2d
            wide dload 604
            dadd
            wide dstore 604
            new java/lang/StringBuilder
            dup
            invokespecial java/lang/StringBuilder.<init> ()V
            wide aload 606
            invokevirtual java/lang/StringBuilder.append (Ljava/lang/Object;)Ljava/lang/StringBuilder;
            wide lload 601
            invokevirtual java/lang/StringBuilder.append (J)Ljava/lang/StringBuilder;
            wide dload 604
            invokevirtual java/lang/StringBuilder.append (D)Ljava/lang/StringBuilder;
            invokevirtual java/lang/Object.toString ()Ljava/lang/String;
            areturn
            sub:
            wide astore 650
            wide lload 601
            lconst_1
            ladd
            wide lstore 601
            wide ret 650
            """);
        a.method(S, "stack", "(IIJ)J", 12, 6, """
            iload_0
            iload_1
            swap
            isub
            dup
            iadd
            iload_0
            iload_1
            dup_x1
            iadd
            imul
            iadd
            iload_0
            iload_1
            iconst_3
            dup_x2
            iadd
            iadd
            imul
            iadd
            iload_0
            iload_1
            dup2
            iadd
            iadd
            iadd
            iadd
            iconst_5
            iload_0
            iload_1
            dup2_x1
            iadd
            iadd
            iadd
            iadd
            iadd
            iconst_2
            iconst_4
            iload_0
            iload_1
            dup2_x2
            iadd
            imul
            iadd
            imul
            iadd
            iadd
            i2l
            lload_2
            dup2
            lmul
            ladd
            iload_0
            lload_2
            dup2_x1
            pop2
            istore 4
            iload 4
            i2l
            lxor
            lxor
            lload_2
            lconst_1
            dup2_x2
            ladd
            lmul
            ladd
            iconst_1
            pop
            iconst_1
            iconst_2
            pop2
            lload_2
            pop2
            lreturn
            """);
        a.method(S, "integers", "(II)I", 4, 3, """
            iload_0
            iload_1
            iadd
            iload_1
            isub
            iload_1
            imul
            iload_1
            idiv
            iload_1
            irem
            ineg
            iload_0
            iload_1
            ishl
            iadd
            iload_0
            ineg
            iload_1
            ishr
            iadd
            iload_0
            ineg
            iload_1
            iushr
            iadd
            iload_0
            iload_1
            iand
            iadd
            iload_0
            iload_1
            ior
            iadd
            iload_0
            iload_1
            ixor
            iadd
            dup
            i2b
            iadd
            dup
            i2c
            iadd
            dup
            i2s
            iadd
            ireturn
            """);
        a.method(S, "longs", "(JJ)J", 8, 5, """
            lload_0
            lload_2
            ladd
            lload_2
            lsub
            lload_2
            lmul
            lload_2
            ldiv
            lload_2
            lrem
            lneg
            lload_0
            lload_2
            l2i
            lshl
            ladd
            lload_0
            lneg
            lload_2
            l2i
            lshr
            ladd
            lload_0
            lneg
            lload_2
            l2i
            lushr
            ladd
            lload_0
            lload_2
            land
            ladd
            lload_0
            lload_2
            lor
            ladd
            lload_0
            lload_2
            lxor
            ladd
            lload_0
            lload_2
            lcmp
            i2l
            ladd
            lreturn
            """);
        a.method(S, "floats", "(FD)D", 12, 4, """
            fload_0
            fload_0
            fadd
            fconst_1
            fsub
            fload_0
            fmul
            fconst_2
            fdiv
            ldc 3.25f
            frem
            fneg
            f2d
            dload_1
            dadd
            dconst_1
            dsub
            dload_1
            dmul
            ldc2_w 3.0d
            ddiv
            ldc2_w 7.5d
            drem
            dneg
            fload_0
            f2i
            i2f
            f2l
            l2f
            f2d
            dadd
            dload_1
            d2i
            i2d
            d2l
            l2d
            d2f
            f2d
            dadd
            fload_0
            fconst_0
            fcmpl
            fload_0
            fconst_0
            fcmpg
            ishl
            dload_1
            dconst_0
            dcmpl
            iadd
            dload_1
            dconst_0
            dcmpg
            iadd
            i2d
            dadd
            dreturn
            """);
        a.method(S, "fret", "(F)F", 1, 1, "fload_0\n freturn");
        StringBuilder arrays =
            new StringBuilder("new java/lang/StringBuilder\n dup\n invokespecial java/lang/StringBuilder.<init> ()V\n "
            + "astore 5\n");
        String[][] kinds = {{"boolean", "iconst_1", "bastore", "baload", "Z"},
            {"byte", "bipush -7", "bastore", "baload", "I"}, {"char", "bipush 65", "castore", "caload", "C"},
            {"short", "sipush -300", "sastore", "saload", "I"}, {"int", "ldc 70000", "iastore", "iaload", "I"},
            {"long", "ldc2_w 5000000000L", "lastore", "laload", "J"},
            {"float", "ldc 1.25f", "fastore", "faload", "F"}, {"double", "ldc2_w 2.125d", "dastore", "daload", "D"}};
        for (String[] k : kinds)
            arrays.append("iconst_3\n newarray ").append(k[0]).append("\n astore_0\n aload_0\n iconst_1\n ")
                .append(k[1]).append("\n ").append(k[2])
                .append("\n aload 5\n aload_0\n iconst_1\n ").append(k[3]).append("\n invokevirtual "
                    + "java/lang/StringBuilder.append (").append(k[4])
                .append(")Ljava/lang/StringBuilder;\n aload_0\n arraylength\n invokevirtual "
                    + "java/lang/StringBuilder.append (I)Ljava/lang/StringBuilder;\n pop\n");
        arrays.append("""
            iconst_2
            anewarray java/lang/String
            astore_1
            aload_1
            iconst_0
            ldc "element"
            aastore
            aload 5
            aload_1
            iconst_0
            aaload
            invokevirtual java/lang/StringBuilder.append (Ljava/lang/String;)Ljava/lang/StringBuilder;
            iconst_2
            iconst_3
            iconst_4
            multianewarray [[[J 3
            astore_2
            aload_2
            iconst_1
            aaload
            iconst_2
            aaload
            arraylength
            invokevirtual java/lang/StringBuilder.append (I)Ljava/lang/StringBuilder;
            iconst_5
            multianewarray [[Ljava/lang/String; 1
            invokevirtual java/lang/Object.getClass ()Ljava/lang/Class;
            invokevirtual java/lang/StringBuilder.append (Ljava/lang/Object;)Ljava/lang/StringBuilder;
            iconst_1
            anewarray [I
            instanceof [Ljava/lang/Object;
            invokevirtual java/lang/StringBuilder.append (I)Ljava/lang/StringBuilder;
            invokevirtual java/lang/StringBuilder.toString ()Ljava/lang/String;
            areturn
            """);
        a.method(S, "arrays", "()Ljava/lang/String;", 8, 8, arrays.toString());
        StringBuilder branches = new StringBuilder("iconst_0\n istore 4\n");
        String[] one = {"ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"},
            two = {"if_icmpeq", "if_icmpne", "if_icmplt", "if_icmpge", "if_icmpgt", "if_icmple"};
        int bit = 0;
        for (String op : one)
            branches.append("iload_0\n ").append(op).append(" A").append(bit).append("\n wide iinc 4 ")
                .append(1 << bit).append("\n A").append(bit++).append(":\n");
        for (String op : two)
            branches.append("iload_0\n iload_1\n ").append(op).append(" A").append(bit).append("\n wide iinc 4 ")
                .append(1 << bit).append("\n A").append(bit++).append(":\n");
        branches.append("""
            aload_2
            aload_3
            if_acmpeq B1
            wide iinc 4 4096
            B1:
            aload_2
            aload_3
            if_acmpne B2
            wide iinc 4 8192
            B2:
            aload_2
            ifnull B3
            wide iinc 4 16384
            B3:
            aload_3
            ifnonnull B4
            iinc 4 -1
            B4:
            goto B6
            B5:
            iload 4
            ireturn
            B6:
            goto_w B5
            """);
        a.method(S, "branches", "(IILjava/lang/Object;Ljava/lang/Object;)I", 3, 5, branches.toString());
        a.method(S, "switches", "(I)I", 2, 2, """
            iload_0
            tableswitch -1 A B C : D
            A:
            bipush 10
            ireturn
            B:
            bipush 20
            ireturn
            C:
            bipush 30
            ireturn
            D:
            iload_0
            lookupswitch -2147483648=A 100=B 2147483647=C : E
            E:
            nop
            iload_0
            tableswitch 5 F : G
            F:
            bipush 40
            ireturn
            G:
            nop
            nop
            iload_0
            lookupswitch : H
            H:
            bipush 50
            ireturn
            """);
        a.method(S, "subroutines", "(I)Ljava/lang/String;", 4, 8, """
            iconst_0
            istore_1
            new java/lang/StringBuffer
            dup
            invokespecial java/lang/StringBuffer.<init> ()V
            astore 6
            try:
            jsr log
            iload_0
            ifeq leave
            jsr_w log
            iload_0
            iconst_1
            if_icmpeq fail
            jsr nested
            goto leave
            fail:
            iconst_1
            iconst_0
            idiv
            pop
            leave:
            jsr finally
            aload 6
            invokevirtual java/lang/StringBuffer.toString ()Ljava/lang/String;
            areturn
            end:
            caught:
            astore 4
            jsr finally
            aload 6
            aload 4
            invokevirtual java/lang/StringBuffer.append (Ljava/lang/Object;)Ljava/lang/StringBuffer;
            invokevirtual java/lang/Object.toString ()Ljava/lang/String;
            areturn
            finally:
            astore 5
            aload 6
            ldc "finally "
            invokevirtual java/lang/StringBuffer.append (Ljava/lang/String;)Ljava/lang/StringBuffer;
            pop
            ret 5
            log:
            astore_2
            iinc 1 1
            aload 6
            iload_1
            invokevirtual java/lang/StringBuffer.append (I)Ljava/lang/StringBuffer;
            pop
            ret 2
            nested:
            astore_3
            jsr inner
            jsr_w inner
            ret 3
            inner:
            astore 7
            iinc 1 10
            ret 7
            .catch java/lang/ArithmeticException try end caught
            """);
        a.method(S, "objects", "()Ljava/lang/String;", 6, 4, """
            bipush 11
            putstatic All.si I
            ldc2_w 12L
            putstatic All.sj J
            ldc2_w 0.5d
            putstatic All.sd D
            new All
            dup
            invokespecial All.<init> ()V
            astore_0
            aload_0
            putstatic All.sa Ljava/lang/Object;
            aload_0
            bipush 13
            putfield All.fi I
            aload_0
            ldc2_w 14L
            putfield All.fj J
            getstatic All.sj J
            aload_0
            getfield All.fj J
            ladd
            getstatic All.si I
            aload_0
            getfield All.fi I
            iadd
            i2l
            ladd
            getstatic All.ck J
            ladd
            invokestatic java/lang/String.valueOf (J)Ljava/lang/String;
            getstatic All.cs Ljava/lang/String;
            invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
            checkcast java/lang/CharSequence
            astore_1
            aload_0
            monitorenter
            aload_0
            monitorenter
            aload_1
            invokeinterface java/lang/CharSequence.length ()I
            istore_2
            aload_0
            monitorexit
            aload_0
            monitorexit
            aload_1
            instanceof java/lang/String
            iload_2
            iadd
            aconst_null
            instanceof java/lang/String
            iadd
            aconst_null
            checkcast java/lang/String
            pop
            invokestatic java/lang/String.valueOf (I)Ljava/lang/String;
            aload_1
            invokevirtual java/lang/Object.toString ()Ljava/lang/String;
            invokevirtual java/lang/String.concat (Ljava/lang/String;)Ljava/lang/String;
            areturn
            """);
        a.method(S, "thrower", "(Ljava/lang/Throwable;)Ljava/lang/String;", 3, 2, """
            from:
            aload_0
            athrow
            to:
            one:
            pop
            ldc "arithmetic"
            areturn
            two:
            invokevirtual java/lang/Throwable.getMessage ()Ljava/lang/String;
            areturn
            .catch java/lang/ArithmeticException from to one
            .catch any from to two
            """);
        return a;
    }

    public static void main(String[] args) throws Throwable {
        Class<?> c = ClassAssembler.load(build());
        System.out.println(ClassAssembler.call(c, "constants"));
        System.out.println(ClassAssembler.call(c, "locals", 3, 4L, 5.5f, 6.25, "obj"));
        System.out.println(ClassAssembler.call(c, "wides", 3, 4L, 5.5f, 6.25, "obj"));
        System.out.println(ClassAssembler.call(c, "stack", 7, 11, 13L));
        System.out.println(ClassAssembler.call(c, "integers", 12345, 7) + " "
                           + ClassAssembler.call(c, "integers", Integer.MIN_VALUE, -1));
        System.out.println(ClassAssembler.call(c, "longs", 123456789012L, 7L) + " "
                           + ClassAssembler.call(c, "longs", Long.MIN_VALUE, -1L));
        System.out.println(ClassAssembler.call(c, "floats", 1.5f, 2.25) + " "
                           + ClassAssembler.call(c, "floats", Float.NaN, Double.NaN) + " "
                           + ClassAssembler.call(c, "fret", 2.5f));
        System.out.println(ClassAssembler.call(c, "arrays"));
        for (int[] p : new int[][] {{0, 0}, {1, 2}, {-1, -2}, {5, 5}, {Integer.MIN_VALUE, Integer.MAX_VALUE}})
            System.out.println(ClassAssembler.call(c, "branches", p[0], p[1], "a", "a") + " "
                               + ClassAssembler.call(c, "branches", p[0], p[1], null, c) + " "
                               + ClassAssembler.call(c, "branches", p[0], p[1], c, null));
        int[] keys = {Integer.MIN_VALUE, -2, -1, 0, 1, 2, 5, 100, Integer.MAX_VALUE};
        int[] r = new int[keys.length];
        for (int i = 0; i < r.length; i++) r[i] = (Integer) ClassAssembler.call(c, "switches", keys[i]);
        System.out.println(Arrays.toString(r));
        for (int i = 0; i < 3; i++) System.out.println(ClassAssembler.call(c, "subroutines", i));
        System.out.println(ClassAssembler.call(c, "objects"));
        System.out.println(ClassAssembler.call(c, "thrower", new ArithmeticException()) + " "
                           + ClassAssembler.call(c, "thrower", new Error("error")) + " "
                           + ClassAssembler.call(c, "thrower", (Object) null));
    }
}
