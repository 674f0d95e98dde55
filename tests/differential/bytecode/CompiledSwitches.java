// Switches, often enough that the methods are compiled: few and many cases, tables that begin and end anywhere among
// the ints, keys within, beside and far from them, cases that lead backwards, out of loops, and to handlers.
import java.util.function.IntUnaryOperator;

public class CompiledSwitches {
    static int eight(int key) {
        return switch (key) {
            case 0 -> 10; case 1 -> 11; case 2 -> 12; case 3 -> 13; case 4 -> 14; case 5 -> 15; case 6 -> 16;
            case 7 -> 17;
            default -> -1;
        };
    }

    static int nine(int key) {
        return switch (key) {
            case 0 -> 10; case 1 -> 11; case 2 -> 12; case 3 -> 13; case 4 -> 14; case 5 -> 15; case 6 -> 16;
            case 7 -> 17; case 8 -> 18;
            default -> -1;
        };
    }

    static int holes(int key) {
        return switch (key) {
            case 100 -> 1; case 101 -> 2; case 103 -> 3; case 104 -> 4; case 107 -> 5; case 108 -> 6; case 110 -> 7;
            case 111 -> 8; case 113 -> 9; case 114 -> 10;
            default -> -key;
        };
    }

    static int negative(int key) {
        return switch (key) {
            case -6 -> 1; case -5 -> 2; case -4 -> 3; case -3 -> 4; case -2 -> 5; case -1 -> 6; case 0 -> 7;
            case 1 -> 8; case 2 -> 9; case 3 -> 10; case 4 -> 11;
            default -> key / 2;
        };
    }

    static int least(int key) {
        return switch (key) {
            case Integer.MIN_VALUE -> 1; case Integer.MIN_VALUE + 1 -> 2; case Integer.MIN_VALUE + 2 -> 3;
            case Integer.MIN_VALUE + 3 -> 4; case Integer.MIN_VALUE + 4 -> 5; case Integer.MIN_VALUE + 5 -> 6;
            case Integer.MIN_VALUE + 6 -> 7; case Integer.MIN_VALUE + 7 -> 8; case Integer.MIN_VALUE + 8 -> 9;
            case Integer.MIN_VALUE + 9 -> 10;
            default -> 0;
        };
    }

    static int greatest(int key) {
        return switch (key) {
            case Integer.MAX_VALUE -> 1; case Integer.MAX_VALUE - 1 -> 2; case Integer.MAX_VALUE - 2 -> 3;
            case Integer.MAX_VALUE - 3 -> 4; case Integer.MAX_VALUE - 4 -> 5; case Integer.MAX_VALUE - 5 -> 6;
            case Integer.MAX_VALUE - 6 -> 7; case Integer.MAX_VALUE - 7 -> 8; case Integer.MAX_VALUE - 8 -> 9;
            case Integer.MAX_VALUE - 9 -> 10;
            default -> 0;
        };
    }

    static int sparse(int key) {
        return switch (key) {
            case Integer.MIN_VALUE -> 1; case -1_000_000 -> 2; case -5 -> 3; case 0 -> 4; case 6 -> 5; case 77 -> 6;
            case 888 -> 7; case 9999 -> 8; case 1_000_000 -> 9; case Integer.MAX_VALUE -> 10;
            default -> 0;
        };
    }

    // The key is an operand besides others, and a long beneath it.
    static int beneath(int key) {
        long sum = 1_000_000_000_000L + key * switch (key & 15) {
            case 0 -> 3L; case 1 -> 5L; case 2 -> 7L; case 3 -> 11L; case 4 -> 13L; case 5 -> 17L; case 6 -> 19L;
            case 7 -> 23L; case 8 -> 29L; case 9 -> 31L;
            default -> 37L;
        };
        return (int) (sum ^ sum >>> 32);
    }

    // Cases lead back to the loop's head, out of it, and on.
    static int machine(int key) {
        int state = key & 15, steps = 0, sum = 0;
        loop:
        for (;;) {
            steps++;
            if (steps > 40) break;
            switch (state) {
                case 0: state = 7; continue;
                case 1: sum += 3; state = 12; continue;
                case 2: break loop;
                case 3: state = 1;
                case 4: sum ^= steps; break;
                case 5: state = 9; sum -= 5; continue;
                case 6: state = 3; break;
                case 7: sum += 2; state = 5; break;
                case 8: state = 6; continue;
                case 9: sum *= 3; state = 11; break;
                case 10: state = 2; break;
                case 11: state = sum > 500 ? 10 : 8; continue;
                default: state = 4 + (sum & 3) * 2; break;
            }
            sum += state;
        }
        return sum * 64 + steps;
    }

    // Some cases throw, at lines of their own.
    static int thrown(int key) {
        try {
            switch (key) {
                case 0: return 1;
                case 1: throw new IllegalStateException("one");
                case 2: return Integer.parseInt("x");
                case 3: return KEYS[key - 4];
                case 4: return 5 / (key - 4);
                case 5: throw new IllegalArgumentException("five");
                case 6: return ((Object) "text").hashCode() & 7;
                case 7: return ((String) null).length();
                case 8: return (Integer) (Object) "text";
                case 9: throw new ArrayStoreException("nine");
                default: return 9;
            }
        } catch (ArithmeticException e) {
            return 100 + line(e);
        } catch (RuntimeException e) {
            return 1000 + line(e);
        }
    }

    static int line(Throwable t) {
        for (StackTraceElement e : t.getStackTrace())
            if (e.getMethodName().equals("thrown")) return e.getLineNumber();
        return -1;
    }

    static final int[] KEYS = {
        Integer.MIN_VALUE, Integer.MIN_VALUE + 1, Integer.MIN_VALUE + 5, Integer.MIN_VALUE + 9, Integer.MIN_VALUE + 10,
        -1_000_001, -1_000_000, -7, -6, -5, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 77, 99, 100, 101, 102,
        103, 107, 110, 112, 114, 115, 888, 9999, 1_000_000, Integer.MAX_VALUE - 10, Integer.MAX_VALUE - 9,
        Integer.MAX_VALUE - 4, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};

    static void show(String name, IntUnaryOperator f) {
        int[] first = new int[KEYS.length];
        int differing = 0;
        for (int turn = 0; turn < 400; turn++)
            for (int i = 0; i < KEYS.length; i++) {
                int value = f.applyAsInt(KEYS[i]);
                if (turn == 0) first[i] = value;
                else if (value != first[i]) differing++;
            }
        StringBuilder text = new StringBuilder();
        for (int value : first) text.append(' ').append(value);
        System.out.println(name + text + (differing == 0 ? "" : ", " + differing + " differ later"));
    }

    public static void main(String[] args) {
        show("eight", CompiledSwitches::eight);
        show("nine", CompiledSwitches::nine);
        show("holes", CompiledSwitches::holes);
        show("negative", CompiledSwitches::negative);
        show("least", CompiledSwitches::least);
        show("greatest", CompiledSwitches::greatest);
        show("sparse", CompiledSwitches::sparse);
        show("beneath", CompiledSwitches::beneath);
        show("machine", CompiledSwitches::machine);
        show("thrown", CompiledSwitches::thrown);
    }
}
