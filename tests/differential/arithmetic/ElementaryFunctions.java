import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;

// StrictMath's sine, cosine, tangent, exponential, logarithms, power, hyperbolic tangent and cube root are defined to
// the bit, for arguments of every size, near the multiples of pi/2 and near the limits; Math's lie close to them.
public class ElementaryFunctions {
    static int each = 5_000;                 // or the argument
    static Random random;

    static double[] arguments(DoubleSupplier of) {
        double[] values = new double[each];
        for (int i = 0; i < each; i++) values[i] = of.getAsDouble();
        return values;
    }

    static final double[] EDGES = {
        0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, 1.5, Math.PI, -Math.PI, Math.PI / 2, Math.PI / 4, 3 * Math.PI / 4,
        Math.E, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, -Double.MAX_VALUE,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 0x1p-27, 0x1p-28, 0x1p-29, 0x1p-20, 0.67434,
        0.78125, 0.3, 709.782712893384, 709.78, -708.4, -745.2, 0.34657359, 1.0397207, -0.34657359, 823549.6645,
        823550, 1e6, 1e22, 0x1p31, 0x1p32, 0x1p53, 0x1p1023, 1 - 0x1p-53, 1 + 0x1p-52, 1024, -1022, -1074,
        1023.9999999999999, 1075, -1075, -1074.5, 0.7, 22, 55, 56 * 0.6931471805599453, 1e-300, 6381956970095103e215,
        5.319372648326541e255, 1e16, 0x1p1000, 65520, 1.0000000001, 0.9999999999, 0x1.00000ffffffffp31, 1e10, -1e10
    };

    /** Distances of a few units in the last place from multiples of pi/2. */
    static double nearMultiple() {
        double multiple = (1 + random.nextInt(random.nextBoolean() ? 64 : 524288)) * (Math.PI / 2);
        double near = Double.longBitsToDouble(Double.doubleToRawLongBits(multiple) + random.nextInt(9) - 4);
        return random.nextBoolean() ? near : -near;
    }

    /** The same far away, where many bits of pi count. */
    static double nearDistantMultiple() {
        double multiple = Math.scalb(1 + random.nextInt(1 << 30), random.nextInt(30)) * (Math.PI / 2);
        double near = Double.longBitsToDouble(Double.doubleToRawLongBits(multiple) + random.nextInt(9) - 4);
        return random.nextBoolean() ? near : -near;
    }

    static double[][] regions() {
        random = new Random(31);
        return new double[][] {
            EDGES,
            arguments(() -> random.nextGaussian()),
            arguments(() -> (random.nextDouble() - 0.5) * 12),
            arguments(() -> (random.nextDouble() - 0.5) * 1500),
            arguments(() -> (random.nextDouble() - 0.5) * 2e6),
            arguments(ElementaryFunctions::nearMultiple),
            arguments(() -> 1 + random.nextGaussian() * Math.scalb(1.0, -random.nextInt(50))),
            arguments(() -> random.nextGaussian() * Math.scalb(1.0, -random.nextInt(60))),
            arguments(() -> Double.longBitsToDouble(random.nextLong())),
            arguments(() -> Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE)),
            arguments(ElementaryFunctions::nearDistantMultiple),
            arguments(() -> random.nextInt(41) - 20),
            arguments(() -> (random.nextBoolean() ? 1 : -1) * (1070 + random.nextGaussian() * 30)),
            arguments(() -> random.nextGaussian() * Double.MIN_NORMAL),
            arguments(() -> random.nextGaussian() * Math.scalb(1.0, 20 + random.nextInt(40))),
        };
    }

    static long sum;
    static void add(double d) { sum = sum * 31 + (Double.isNaN(d) ? 1 : Double.doubleToRawLongBits(d)); }

    static boolean isNear(double a, double b) {
        return Double.compare(a, b) == 0 || Math.abs(a - b) <= 1e-12 * Math.abs(b) + Double.MIN_NORMAL;
    }

    static void ofOne(String name, double[][] regions, DoubleUnaryOperator strict, DoubleUnaryOperator math) {
        StringBuilder line = new StringBuilder(name);
        int far = 0;
        for (double[] region : regions) {
            sum = 0;
            for (double x : region) {
                double y = strict.applyAsDouble(x);
                add(y);
                if (!isNear(math.applyAsDouble(x), y)) far++;
            }
            line.append(' ').append(Long.toHexString(sum));
        }
        System.out.println(line.append(far == 0 ? "" : " far: " + far));
    }

    static void ofTwo(String name, double[][] regions, DoubleBinaryOperator strict, DoubleBinaryOperator math) {
        for (int i = 0; i < regions.length; i++) {
            StringBuilder line = new StringBuilder(name).append(" region ").append(i);
            int far = 0;
            for (double[] exponents : regions) {
                sum = 0;
                for (int k = 0, n = exponents.length, m = regions[i].length; k < each / 2; k++) {
                    double x = regions[i][(k * 31 + k / n) % m], p = exponents[k % n];
                    double y = strict.applyAsDouble(x, p);
                    add(y);
                    if (!isNear(math.applyAsDouble(x, p), y)) far++;
                }
                line.append(' ').append(Long.toHexString(sum));
            }
            System.out.println(line.append(far == 0 ? "" : " far: " + far));
        }
    }

    /** Exponents so large that only bases very near one give anything but 0 and infinity. */
    static void powersNearOne() {
        sum = 0;
        int far = 0;
        for (int i = 0; i < 10 * each; i++) {
            double size = Math.scalb(1 + random.nextDouble(), 31 + random.nextInt(20));
            double exponent = random.nextBoolean() ? size : -size;
            double base = 1 + (random.nextDouble() - 0.5) * 1400 / exponent, power = StrictMath.pow(base, exponent);
            add(power);
            if (Math.abs(Math.pow(base, exponent) - power) > 1e-9 * power) far++;
        }
        System.out.println("pow near one " + Long.toHexString(sum) + (far == 0 ? "" : " far: " + far));
    }

    public static void main(String[] args) {
        if (args.length > 0) each = Integer.parseInt(args[0]);
        double[][] regions = regions();
        ofOne("sin", regions, StrictMath::sin, Math::sin);
        ofOne("cos", regions, StrictMath::cos, Math::cos);
        ofOne("tan", regions, StrictMath::tan, Math::tan);
        ofOne("exp", regions, StrictMath::exp, Math::exp);
        ofOne("log", regions, StrictMath::log, Math::log);
        ofOne("log10", regions, StrictMath::log10, Math::log10);
        ofOne("tanh", regions, StrictMath::tanh, Math::tanh);
        ofOne("cbrt", regions, StrictMath::cbrt, Math::cbrt);
        ofTwo("pow", regions, StrictMath::pow, Math::pow);
        powersNearOne();
    }
}
