// Enums with bodies, fields, switch, EnumSet and EnumMap, valueOf and its errors, and their reflection.
import java.util.EnumMap;
import java.util.EnumSet;

public class Enums {
    enum Op {
        PLUS("+") {
            int apply(int a, int b) { return a + b; }
        },
        MINUS("-") {
            int apply(int a, int b) { return a - b; }
        },
        TIMES("*") {
            int apply(int a, int b) { return a * b; }
            int weight() { return 2; }
        };
        final String sign;
        static final int COUNT = values().length;
        Op(String sign) { this.sign = sign; }
        abstract int apply(int a, int b);
        int weight() { return 1; }
    }
    enum Plain { A, B, C, D }
    enum Single implements Runnable {
        INSTANCE;
        public void run() { System.out.println("singleton " + this); }
    }
    enum Empty {}
    enum Many {
        M0,
        M1,
        M2,
        M3,
        M4,
        M5,
        M6,
        M7,
        M8,
        M9,
        N0,
        N1,
        N2,
        N3,
        N4,
        N5,
        N6,
        N7,
        N8,
        N9,
        O0,
        O1,
        O2,
        O3,
        O4,
        O5,
        O6,
        O7,
        O8,
        O9,
        P0,
        P1,
        P2,
        P3,
        P4,
        P5,
        P6,
        P7,
        P8,
        P9,
        Q0,
        Q1,
        Q2,
        Q3,
        Q4,
        Q5,
        Q6,
        Q7,
        Q8,
        Q9,
        R0,
        R1,
        R2,
        R3,
        R4,
        R5,
        R6,
        R7,
        R8,
        R9,
        S0,
        S1,
        S2,
        S3,
        S4,
        S5,
        S6,
        S7,
        S8,
        S9
    }

    public static void main(String[] args) throws Exception {
        for (Op op : Op.values())
            System.out.println(op + op.sign + op.apply(7, 5) + op.weight() + op.ordinal() + " "
                               + op.getClass().getName() + " " + op.getDeclaringClass().getName() + " "
                               + op.getClass().isEnum() + Op.class.isEnum());
        System.out.println(Op.COUNT + " " + Op.valueOf("PLUS").compareTo(Op.TIMES) + " "
                           + Op.MINUS.equals(Op.valueOf("MINUS")));
        for (String bad : new String[] {"plus", ""}) {
            try {
                Op.valueOf(bad);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            Plain.valueOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        EnumMap<Plain, Integer> map = new EnumMap<>(Plain.class);
        map.put(Plain.C, 3);
        map.put(Plain.A, 1);
        map.merge(Plain.A, 10, Integer::sum);
        System.out.println(map + " " + map.containsKey(Plain.B) + EnumSet.complementOf(EnumSet.of(Plain.B))
                           + EnumSet.range(Plain.B, Plain.D) + EnumSet.noneOf(Empty.class));
        EnumSet<Many> big = EnumSet.allOf(Many.class);
        big.removeIf(m -> m.ordinal() % 7 != 0);
        System.out.println(big + " " + big.size());
        Single.INSTANCE.run();
        try {
            var c = Plain.class.getDeclaredConstructors()[0];
            c.setAccessible(true);
            c.newInstance("X", 9);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Plain[] v = Plain.values();
        v[0] = null;
        System.out.println(Plain.values()[0] + " " + Plain.class.getEnumConstants().length + " "
                           + String.class.getEnumConstants());
        switch (Many.Q5) {
            case M0: System.out.println("zero"); break;
            case Q5: System.out.println("q5"); break;
            default: System.out.println("default");
        }
        System.out.println(Enum.valueOf(Thread.State.class, "BLOCKED").hashCode() == Thread.State.BLOCKED.hashCode());
        System.out.println(Plain.A.describeConstable().get() + " " + Plain.class.getField("A").isEnumConstant());
    }
}
