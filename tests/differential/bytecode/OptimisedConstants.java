// Static final fields in loops that an optimising compiler takes: of classes that have been initialised, of one whose
// initialiser is running and reads its own before and behind their stores, and those of System, which change.
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

public class OptimisedConstants {
    static final int TURNS = Integer.parseInt("100000"), SHIFT = Integer.parseInt("3"), MASK = ~0 >>> SHIFT;
    static final boolean YES = TURNS > 5, NO = TURNS < 5;
    static final byte BYTE = (byte) TURNS;
    static final short SHORT = (short) (TURNS * 3);
    static final char CHAR = (char) -SHIFT;
    static final long LONG = TURNS * 12345678901L, SMALL = SHIFT - 10;
    static final float FLOAT = SHIFT * -0.5f, NEGATIVE_ZERO = -0f / SHIFT, NO_NUMBER = Float.NaN * SHIFT;
    static final double DOUBLE = SHIFT / 7.0, ENDLESS = 1.0 / (SHIFT - 3);
    static final int[] TABLE = {1, 2, 3, SHIFT};
    static final Object NOTHING = SHIFT == 3 ? null : "";
    static final String TEXT = "text" + SHIFT;
    static int changes;

    static long everyType(int n) {
        long h = 1;
        for (int i = 0; i < n; i++) {
            h = h * 31 + (i << SHIFT) + (i & MASK) + BYTE + SHORT + CHAR;
            h = h * 31 + LONG + SMALL * i + (YES ? 1 : 2) + (NO ? 3 : 4) + i / SHIFT + i % SHIFT;
            h = h * 31 + Float.floatToRawIntBits(FLOAT * i) + Float.floatToRawIntBits(NEGATIVE_ZERO);
            h = h * 31 + Float.floatToIntBits(NO_NUMBER) + Double.doubleToRawLongBits(DOUBLE * i);
            h = h * 31 + Double.doubleToRawLongBits(ENDLESS - i);
        }
        return h;
    }
    static int references(int n) {
        int h = 0;
        for (int i = 0; i < n; i++) {
            h = h * 31 + TABLE[i & 3] + TEXT.length() + (NOTHING == null ? 1 : 2);
            TABLE[i & 3] = i;
            changes = TABLE[0];
            h += TABLE[i + 1 & 3] + changes;
        }
        return h;
    }
    static boolean isNull(int i) {
        try {
            return NOTHING.hashCode() == i;
        } catch (NullPointerException e) {
            return true;
        }
    }

    /** Reads what is not there yet, and goes on when it is. */
    static class Begins {
        static final int EARLY, LATE;
        static final String NAME;
        static long seen;
        static int sum(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum = sum * 31 + EARLY + 2 * LATE + (NAME == null ? 5 : NAME.length());
            return sum;
        }
        static {
            seen = sum(TURNS);
            EARLY = TURNS + 1;
            seen = seen * 31 + sum(TURNS);
            NAME = "abc" + EARLY;
            int last = 0;
            for (int i = 0; i < TURNS; i++) last += EARLY + (NAME == null ? 0 : 1);
            seen = seen * 31 + sum(TURNS) + last;
            LATE = SHIFT;
            seen = seen * 31 + sum(TURNS);
        }
    }
    interface Constants { int[] HELD = {SHIFT}; int NUMBER = HELD[0] + 4; }
    static int ofInterface(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum = sum * 31 + Constants.NUMBER + Constants.HELD[0]++;
        return sum;
    }

    // Where it writes changes at each turn.
    static int redirected(PrintStream[] to, int n) {
        PrintStream was = System.out;
        for (int i = 0; i < n; i++) {
            System.setOut(to[i & 1]);
            System.out.write('x');
        }
        System.setOut(was);
        return n;
    }

    public static void main(String[] args) {
        long h = 0;
        for (int i = 0; i < 20; i++) {
            h = h * 31 + everyType(TURNS / 20) + references(TURNS / 20) + ofInterface(TURNS / 20);
            for (int k = 0; k < TURNS / 20; k++) h += isNull(k) ? 1 : 0;
            System.out.println(i + " " + h);
        }
        System.out.println(Begins.seen + " " + Begins.sum(TURNS));
        ByteArrayOutputStream first = new ByteArrayOutputStream(), second = new ByteArrayOutputStream();
        PrintStream[] to = {new PrintStream(first, true), new PrintStream(second, true)};
        System.out.println(redirected(to, TURNS) + " " + first.size() + " " + second.size());
    }
}
