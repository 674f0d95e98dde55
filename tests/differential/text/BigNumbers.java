// BigInteger and BigDecimal: arithmetic of all sizes, number theory, bits, rounding, text and exceptions.
import java.math.*;
import java.util.Random;

public class BigNumbers {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        Random r = new Random(1);
        long h = 0;
        for (int bits : new int[] {1, 31, 32, 63, 64, 65, 200, 1000, 3000, 9000}) {
            BigInteger a = new BigInteger(bits, r), b = new BigInteger(bits / 2 + 1, r).add(BigInteger.ONE),
                       c = a.negate();
            BigInteger[] qr = a.divideAndRemainder(b);
            h = h * 31 + a.add(b).hashCode() + a.subtract(b).hashCode() * 3 + a.multiply(a).hashCode() * 5
                + qr[0].hashCode() * 7 + qr[1].hashCode() * 11 + a.gcd(b).hashCode() + a.and(c).hashCode()
                + a.or(b).hashCode() + a.xor(c).hashCode() + a.not().hashCode() + a.shiftLeft(17).hashCode()
                + c.shiftRight(5).hashCode() + a.sqrt().hashCode() + a.bitCount() + c.bitLength() + a.getLowestSetBit();
            System.out.println(bits + " " + h + " " + qr[0].multiply(b).add(qr[1]).equals(a) + " "
                               + new BigInteger(a.toString()).equals(a) + new BigInteger(a.toString(36), 36).equals(a)
                               + new BigInteger(c.toByteArray()).equals(c) + " "
                               + a.mod(b).equals(a.modPow(BigInteger.ONE, b)));
        }
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.bitLength());
        BigInteger p = new BigInteger("170141183460469231731687303715884105727");
        System.out.println(p.isProbablePrime(20) + " " + p.nextProbablePrime().subtract(p) + " "
            + BigInteger.TWO.modPow(new BigInteger("123456789"), p) + " " + BigInteger.valueOf(7).modInverse(p) + " "
            + BigInteger.valueOf(97).pow(30));
        t(() -> BigInteger.ONE.divide(BigInteger.ZERO));
        t(() -> BigInteger.TWO.modInverse(BigInteger.TEN));
        t(() -> BigInteger.ONE.mod(BigInteger.valueOf(-5)));
        t(() -> BigInteger.TWO.pow(-1));
        t(() -> p.longValueExact());
        t(() -> BigInteger.ONE.negate().sqrt());
        t(() -> new BigInteger(""));
        t(() -> new BigInteger("1x"));
        t(() -> BigInteger.ONE.shiftLeft(Integer.MAX_VALUE).shiftLeft(5));
        t(() -> new BigInteger(new byte[0]));
        System.out.println(BigInteger.valueOf(-255).toString(16) + " " + p.doubleValue() + " " + p.floatValue() + " "
                           + p.intValue() + " " + p.longValue() + " " + BigInteger.valueOf(-1).testBit(100)
                           + BigInteger.ZERO.setBit(70) + BigInteger.valueOf(5).flipBit(1)
                           + BigInteger.valueOf(5).compareTo(BigInteger.valueOf(-5))
                           + BigInteger.valueOf(5).max(BigInteger.TEN) + BigInteger.valueOf(-5).signum());
        BigDecimal a = new BigDecimal("123.4500"), b = new BigDecimal("-0.007");
        System.out.println(a.add(b) + " " + a.multiply(b) + " " + a.divide(b, 10, RoundingMode.HALF_UP) + " "
                           + a.remainder(b) + " " + a.setScale(1, RoundingMode.HALF_EVEN) + " " + a.stripTrailingZeros()
                           + " " + a.negate().abs() + " " + a.precision() + a.scale() + a.unscaledValue() + " "
                           + a.movePointLeft(5) + a.pow(3) + a.round(new MathContext(2)) + a.divideToIntegralValue(b)
                           + a.equals(new BigDecimal("123.45")) + a.compareTo(new BigDecimal("123.45")) + a.hashCode()
                           + a.ulp() + " " + new BigDecimal(0.1) + new BigDecimal("1E+5").toPlainString()
                           + new BigDecimal("12345E-10").toEngineeringString()
                           + BigDecimal.valueOf(2).sqrt(new MathContext(30)));
        for (RoundingMode m : RoundingMode.values()) {
            StringBuilder s = new StringBuilder(m + ":");
            for (String v : new String[] {"5.5", "2.5", "1.1", "1.0", "-1.1", "-2.5", "-5.5"}) try {
                    s.append(' ').append(new BigDecimal(v).setScale(0, m));
                } catch (ArithmeticException e) {
                    s.append(" !");
                }
            System.out.println(s);
        }
        t(() -> BigDecimal.ONE.divide(new BigDecimal(3)));
        t(() -> BigDecimal.ONE.divide(BigDecimal.ZERO));
        t(() -> new BigDecimal("abc"));
        t(() -> new BigDecimal(Double.NaN));
        t(() -> a.intValueExact());
        t(() -> a.setScale(1));
        t(() -> BigDecimal.ONE.divide(new BigDecimal(7), MathContext.DECIMAL64));
        t(() -> new BigDecimal("1e99999999999"));
        BigInteger s1 = BigInteger.ONE.shiftLeft(3000).subtract(BigInteger.ONE);
        System.out.println(s1.multiply(s1).hashCode() + " " + s1.pow(3).mod(p) + " " + s1.toString().hashCode());
    }
}
