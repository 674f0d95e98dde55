import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;

// Products, powers and shifts of BigInteger that a VM may compute by itself, as checksums: numbers of every size up to
// 100 words and some longer ones, random or with long carries; and the library's methods themselves with arguments that
// their callers never give.
public class BigIntegerIntrinsics {
    static final Random random = new Random(23);
    static long sum;

    static void add(long v) {
        sum = sum * 0x9e3779b97f4a7c15L + v;
    }

    static void add(BigInteger v) {
        add(v.hashCode());
        add(v.bitLength());
    }

    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    /** Of `bits` bits at most: random, all ones, a single bit, ones with a hole, long runs of both. */
    static BigInteger number(int bits, int kind) {
        switch (kind) {
            case 0: return new BigInteger(bits, random);
            case 1: return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
            case 2: return BigInteger.ONE.shiftLeft(bits - 1);
            case 3: return number(bits, 1).clearBit(random.nextInt(bits));
            default:
                BigInteger n = BigInteger.ZERO;
                for (int at = 0; at < bits; at += 1 + random.nextInt(100)) {
                    n = n.add(BigInteger.ONE.shiftLeft(at)).shiftLeft(random.nextInt(3) == 0 ? 0 : 1);
                    n = n.mod(number(bits, 1));
                }
                return n;
        }
    }

    static final int KINDS = 5;

    static void products() {
        for (int words = 1; words <= 100; words++) {
            for (int kind = 0; kind < KINDS; kind++) {
                BigInteger a = number(32 * words - random.nextInt(32), kind);
                add(a.multiply(a));
                add(a.multiply(a.negate()));
                add(a.pow(3));
                for (int others : new int[] {1, 2, 3, 1 + random.nextInt(79), words, 100}) {
                    BigInteger b = number(32 * others - random.nextInt(32), random.nextInt(KINDS));
                    BigInteger product = a.multiply(b);
                    add(product);
                    if (b.signum() != 0 && !product.divide(b).equals(a)) System.out.println(a + " * " + b);
                }
            }
        }
        for (int words : new int[] {511, 512, 513, 700, 2000}) {
            BigInteger a = number(32 * words, 0);
            for (int others : new int[] {1, 10, 77, 79, 80, 600}) add(a.multiply(number(32 * others, 0)));
            add(a.multiply(a));
        }
        say("products");
    }

    static void powers() {
        for (int words = 1; words <= 100; words += words < 40 ? 1 : 13) {
            for (int kind = 0; kind < KINDS; kind++) {
                BigInteger modulus = number(32 * words - random.nextInt(32), kind).max(BigInteger.TWO);
                BigInteger a = number(32 * words, random.nextInt(KINDS));
                BigInteger exponent = number(64 + random.nextInt(100), random.nextInt(KINDS));
                add(a.modPow(exponent, modulus));
                add(a.modPow(exponent, modulus.setBit(0)));
                add(a.negate().modPow(exponent, modulus.clearBit(0).max(BigInteger.TWO)));
                add(a.mod(modulus).modPow(BigInteger.TWO, modulus.setBit(0)));
            }
        }
        for (int words : new int[] {511, 512, 513}) {
            BigInteger modulus = number(32 * words, 0).setBit(0), a = number(32 * words, 0);
            add(a.modPow(BigInteger.valueOf(37), modulus));
        }
        BigInteger prime = BigInteger.probablePrime(256, random);
        add(prime);
        for (int i = 0; i < 50; i++) {
            BigInteger a = number(256, i % KINDS).max(BigInteger.TWO).mod(prime);
            if (a.signum() != 0 && !a.modPow(prime.subtract(BigInteger.ONE), prime).equals(BigInteger.ONE))
                System.out.println("not Fermat's: " + a);
        }
        say("powers");
    }

    static void shifts() {
        for (int words = 1; words <= 100; words++) {
            for (int kind = 0; kind < KINDS; kind++) {
                BigInteger a = number(32 * words - random.nextInt(32), kind);
                for (int by : new int[] {0, 1, 7, 31, 32, 33, 63, 64, 65, random.nextInt(3300)}) {
                    add(a.shiftLeft(by));
                    add(a.shiftRight(by));
                    add(a.negate().shiftRight(by));
                    if (!a.shiftLeft(by).shiftRight(by).equals(a)) System.out.println(a + " << " + by);
                }
            }
        }
        say("shifts");
    }

    // ---- the library's methods --------------------------------------------------------------------------------------

    static Method method(String name) {
        for (Method m : BigInteger.class.getDeclaredMethods()) {
            if (!m.getName().equals(name)) continue;
            m.setAccessible(true);
            return m;
        }
        throw new IllegalArgumentException(name);
    }

    static void call(String name, Object... arguments) throws IllegalAccessException {
        try {
            Object got = method(name).invoke(null, arguments);
            if (got instanceof int[] a) {
                add(Arrays.hashCode(a));
                for (Object o : arguments) add(o == got ? 1 : 2);
            } else {
                add(got instanceof Integer i ? i : 0);
            }
        } catch (InvocationTargetException e) {
            add((e.getCause().getClass() + ": " + e.getCause().getMessage()).hashCode());
        }
        for (Object a : arguments)
            if (a instanceof int[] ints) add(Arrays.hashCode(ints));
    }

    static int[] ints(int count) {
        int[] a = new int[count];
        for (int i = 0; i < count; i++) a[i] = random.nextInt(4) == 0 ? -1 : random.nextInt();
        return a;
    }

    static final int[] COUNTS = {-1, 0, 1, 2, 3, 7, 8, 9, 100, Integer.MAX_VALUE, Integer.MIN_VALUE};

    static void callsOfProducts() throws IllegalAccessException {
        for (int a : COUNTS) {
            for (int b : COUNTS) {
                if (a > 100 && b > 0 || b > 100 && a > 0) continue;
                for (int room : new int[] {0, 1, 15, 16, 17, 18, 200})
                    call("implMultiplyToLen", ints(8), a, ints(9), b, ints(room));
                call("implMultiplyToLen", ints(8), a, ints(9), b, null);
            }
            for (int room : new int[] {0, 1, 2, 14, 16, 17, 40}) {
                call("implSquareToLen", ints(8), a, ints(room), room);
                if (a < 100) call("implSquareToLen", ints(8), a, ints(room), 2 * a);
            }
            call("implSquareToLen", ints(8), a, null, 16);
        }
        for (int length : COUNTS)
            if (length <= 16) call("implSquareToLen", ints(8), 8, ints(16), length);
        int[] same = ints(20);
        call("implMultiplyToLen", same, 5, same, 5, ints(10));
        call("implMultiplyToLen", same, 5, ints(4), 4, same);
        call("implMultiplyToLen", ints(4), 4, same, 5, same);
        call("implMultiplyToLen", null, 1, ints(4), 4, ints(5));
        call("implMultiplyToLen", ints(4), 4, null, 1, ints(5));
        call("implSquareToLen", same, 10, same, 20);
        call("implSquareToLen", null, 1, ints(2), 2);
        for (int count : new int[] {511, 512, 513, 600}) {
            call("implMultiplyToLen", ints(count), count, ints(7), 7, ints(count + 7));
            call("implMultiplyToLen", ints(8), 8, ints(count), count, ints(count + 8));
            call("implMultiplyToLen", ints(count), count, ints(count), count, ints(2 * count));
            call("implSquareToLen", ints(count), count, ints(2 * count), 2 * count);
        }
        say("implMultiplyToLen");
        for (int count : COUNTS)
            for (int offset : COUNTS)
                for (int room : new int[] {0, 1, 8, 9, 17, 40})
                    call("implMulAdd", ints(room), ints(9), offset, count, random.nextInt());
        for (int k : new int[] {0, 1, -1, Integer.MIN_VALUE}) call("implMulAdd", ints(33), ints(32), 1, 32, k);
        call("implMulAdd", same, same, 0, 20, 77);
        call("implMulAdd", same, same, 3, 5, -1);
        call("implMulAdd", null, same, 0, 1, 1);
        call("implMulAdd", same, null, 0, 1, 1);
        say("implMulAdd");
    }

    /** -1 / n, modulo 2^64. */
    static long inverse(int[] n, int count) {
        BigInteger two64 = BigInteger.ONE.shiftLeft(64);
        BigInteger odd = BigInteger.valueOf(n[count - 1] & 0xffffffffL);
        if (count > 1) odd = odd.add(BigInteger.valueOf(n[count - 2] & 0xffffffffL).shiftLeft(32));
        return odd.modInverse(two64).negate().longValue();
    }

    static void callsOfMontgomery() throws IllegalAccessException {
        for (int count = 1; count <= 66; count++) {
            for (int kind = 0; kind < 6; kind++) {
                int[] n = ints(count), a = ints(count + kind % 2), b = ints(count);
                n[count - 1] |= 1;
                n[0] |= Integer.MIN_VALUE;
                if (kind == 2) Arrays.fill(n, -1);
                if (kind == 3) Arrays.fill(a, -1);
                if (kind == 4) Arrays.fill(a, -1);
                if (kind == 4) Arrays.fill(b, -1);
                if (kind == 5) n[0] = n[0] >>> 4 | 1;
                long inverse = inverse(n, count);
                for (int room : new int[] {2 * count, count, 2 * count + 2, 0}) {
                    call("implMontgomeryMultiply", a, b, n, count, inverse, ints(room));
                    call("implMontgomerySquare", a, n, count, inverse, ints(room));
                }
                call("implMontgomeryMultiply", a, a, n, count, inverse, ints(2 * count));
                call("implMontgomeryMultiply", a, n, n, count, inverse, ints(2 * count));
                call("implMontgomeryMultiply", a, b, n, count, inverse, null);
                call("implMontgomerySquare", a, n, count, inverse, null);
                int[] both = Arrays.copyOf(a, 2 * count);
                call("implMontgomeryMultiply", both, b, n, count, inverse, both);
                both = Arrays.copyOf(a, 2 * count);
                call("implMontgomerySquare", both, n, count, inverse, both);
                call("implMontgomeryMultiply", a, b, n, count, inverse ^ 1L << 40, ints(2 * count));
            }
        }
        int[] n = ints(8);
        n[7] |= 1;
        n[0] |= Integer.MIN_VALUE;
        for (int count : COUNTS) {
            if (count > 100) continue;
            call("implMontgomeryMultiply", ints(8), ints(8), n, count, inverse(n, 8), ints(16));
            call("implMontgomerySquare", ints(8), n, count, inverse(n, 8), ints(16));
        }
        call("implMontgomeryMultiply", null, ints(8), n, 8, inverse(n, 8), ints(16));
        call("implMontgomeryMultiply", ints(8), null, n, 8, inverse(n, 8), ints(16));
        call("implMontgomeryMultiply", ints(8), ints(8), null, 8, inverse(n, 8), ints(16));
        call("implMontgomerySquare", null, n, 8, inverse(n, 8), ints(16));
        call("implMontgomerySquare", ints(8), null, 8, inverse(n, 8), ints(16));
        say("implMontgomeryMultiply");
    }

    static void callsOfShifts() throws IllegalAccessException {
        for (String name : new String[] {"shiftLeftImplWorker", "shiftRightImplWorker"}) {
            for (int offset : new int[] {0, 1, 2, 9, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
                for (int bits : new int[] {1, 5, 31, 0, 32, 33, -1, Integer.MIN_VALUE})
                    for (int count : COUNTS)
                        for (int room : new int[] {0, 8, 9, 10, 20})
                            call(name, ints(room), ints(9), offset, bits, count);
            int[] same = ints(20);
            call(name, same, same, 0, 3, 19);
            call(name, same, same, 1, 3, 18);
            call(name, null, same, 0, 3, 1);
            call(name, same, null, 0, 3, 1);
            say(name);
        }
    }

    public static void main(String[] args) throws IllegalAccessException {
        products();
        powers();
        shifts();
        callsOfProducts();
        callsOfMontgomery();
        callsOfShifts();
    }
}
