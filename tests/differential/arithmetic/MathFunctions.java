// Math and StrictMath on ordinary and corner values; exact methods with their exceptions.
import java.util.function.DoubleUnaryOperator;

public class MathFunctions {
    static void table(String name, DoubleUnaryOperator f) {
        double[] xs = {0,
                       -0.0,
                       0.5,
                       -0.5,
                       1,
                       -1,
                       2.5,
                       -2.5,
                       3.7,
                       10,
                       100.25,
                       1e-10,
                       1e10,
                       1e300,
                       Double.MIN_VALUE,
                       Double.POSITIVE_INFINITY,
                       Double.NEGATIVE_INFINITY,
                       Double.NaN};
        StringBuilder b = new StringBuilder(name);
        for (double x : xs) b.append(' ').append(f.applyAsDouble(x));
        System.out.println(b);
    }

    static void exact(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " passed");
        } catch (ArithmeticException e) {
            System.out.println(name + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        table("sqrt", Math::sqrt);
        table("ssqrt", StrictMath::sqrt);
        table("sin", StrictMath::sin);
        table("cos", StrictMath::cos);
        table("tan", StrictMath::tan);
        table("asin", StrictMath::asin);
        table("acos", StrictMath::acos);
        table("atan", StrictMath::atan);
        table("exp", StrictMath::exp);
        table("log", StrictMath::log);
        table("log10", StrictMath::log10);
        table("cbrt", StrictMath::cbrt);
        table("sinh", StrictMath::sinh);
        table("cosh", StrictMath::cosh);
        table("tanh", StrictMath::tanh);
        table("expm1", StrictMath::expm1);
        table("log1p", StrictMath::log1p);
        table("ceil", Math::ceil);
        table("floor", Math::floor);
        table("rint", Math::rint);
        table("abs", Math::abs);
        table("signum", Math::signum);
        table("ulp", Math::ulp);
        table("nextUp", Math::nextUp);
        table("nextDown", Math::nextDown);
        table("toRadians", Math::toRadians);
        table("toDegrees", Math::toDegrees);
        table("round", x -> Math.round(x));
        table("roundf", x -> Math.round((float) x));
        table("exponent", x -> Math.getExponent(x));
        table("scalb", x -> Math.scalb(x, 3));
        table("copySign", x -> Math.copySign(2, x));
        table("remainder", x -> Math.IEEEremainder(x, 3));
        table("pow", x -> StrictMath.pow(x, 1.5));
        table("pow2", x -> StrictMath.pow(2, x));
        table("atan2", x -> StrictMath.atan2(x, -1));
        table("hypot", x -> StrictMath.hypot(x, 3));
        table("fma", x -> Math.fma(x, 1.1, 0.3));
        table("fmaf", x -> Math.fma((float) x, 1.1f, 0.3f));
        table("max", x -> Math.max(x, -0.0) + Math.max((float) x, 0f));
        table("min", x -> Math.min(x, 0.0) + Math.min((float) x, -0f));
        System.out.println(Math.pow(2, 10) + " " + Math.pow(0, 0) + " " + Math.pow(-2, 3) + " "
                           + Math.pow(1, Double.NaN) + " " + Math.sin(0) + " " + Math.exp(0) + " " + Math.log(1));
        System.out.println(Math.abs(Math.sin(1) - 0.8414709848078965) < 1e-15);
        System.out.println(Math.max(3, 4) + " " + Math.min(3L, 4L) + " " + Math.abs(Integer.MIN_VALUE) + " "
                           + Math.abs(-5L));
        exact("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        exact("addExactL", () -> Math.addExact(Long.MAX_VALUE, 1L));
        exact("subtractExact", () -> Math.subtractExact(Integer.MIN_VALUE, 1));
        exact("subtractExactL", () -> Math.subtractExact(Long.MIN_VALUE, 1L));
        exact("multiplyExact", () -> Math.multiplyExact(1 << 20, 1 << 20));
        exact("multiplyExactL", () -> Math.multiplyExact(1L << 40, 1L << 40));
        exact("incrementExact", () -> Math.incrementExact(Integer.MAX_VALUE));
        exact("decrementExact", () -> Math.decrementExact(Long.MIN_VALUE));
        exact("negateExact", () -> Math.negateExact(Integer.MIN_VALUE));
        exact("toIntExact", () -> Math.toIntExact(1L << 31));
        exact("absExact", () -> Math.absExact(Integer.MIN_VALUE));
        exact("fits", () -> Math.multiplyExact(46340, 46340));
        System.out.println(Math.round(0.49999999999999994) + " " + Math.round(-0.5) + " " + Math.round(2.5) + " "
                           + Math.round(-2.5f) + " " + Math.round(1e18 + 0.5));
        System.out.println(Math.nextAfter(1f, 2) + " " + Math.nextAfter(0.0, -1) + " " + Float.MIN_EXPONENT + " "
                           + Math.ulp(1f));
    }
}
