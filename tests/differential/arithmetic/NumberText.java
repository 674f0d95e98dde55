// Text forms of numbers both ways: toString, parse, hexadecimal floats, and the messages of what cannot be parsed.
public class NumberText {
    static void bad(Runnable r) {
        try {
            r.run();
            System.out.println("accepted");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        double[] ds = {1,
                       10,
                       100,
                       1e7,
                       1e6,
                       9999999,
                       0.001,
                       0.0009,
                       123456789.125,
                       1.0 / 3,
                       2.2250738585072014E-308,
                       4.9e-324,
                       1.7976931348623157e308,
                       2e-44,
                       5e22,
                       9.5e-3,
                       1e21,
                       1e23};
        for (double d : ds) System.out.print(d + " " + (float) d + " " + Double.toHexString(d) + "; ");
        System.out.println();
        String[] texts = {"1",
                          "-1.5",
                          "+.5",
                          "1e3",
                          "1E-3f",
                          "0x1.8p1",
                          "Infinity",
                          "-Infinity",
                          "NaN",
                          " 7 ",
                          "4.9e-325",
                          "1.7976931348623159e308",
                          "123456789012345678901234567890",
                          "0.1e1d"};
        for (String t : texts) System.out.print(Double.parseDouble(t) + " " + Float.parseFloat(t) + "; ");
        System.out.println();
        bad(() -> Integer.parseInt(""));
        bad(() -> Integer.parseInt("2147483648"));
        bad(() -> Integer.parseInt("12x"));
        bad(() -> Integer.parseInt(null));
        bad(() -> Integer.parseInt("1", 99));
        bad(() -> Long.parseLong("9223372036854775808"));
        bad(() -> Byte.parseByte("128"));
        bad(() -> Short.parseShort("-32769"));
        bad(() -> Double.parseDouble("1..2"));
        bad(() -> Double.parseDouble(""));
        bad(() -> Float.parseFloat("f"));
        bad(() -> Integer.parseUnsignedInt("-1"));
        bad(() -> Integer.decode("0x"));
        bad(() -> new java.math.BigInteger("12g"));
        bad(() -> new java.math.BigDecimal("1e"));
        System.out.println(Integer.valueOf(127) == Integer.valueOf(127));
        System.out.println(Integer.valueOf(1000).equals(1000) + " " + Integer.valueOf(5).equals(5L) + " "
                           + Long.valueOf(5).hashCode() + " " + Double.valueOf(1.5).hashCode() + " "
                           + Boolean.hashCode(true));
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN) + " " + (0.0 == -0.0) + " "
                           + Double.valueOf(0.0).equals(-0.0) + " " + Double.MAX_EXPONENT);
        System.out.println(Integer.toString(-255, 16) + " " + Integer.toString(255, 2) + " "
                           + Long.toString(Long.MIN_VALUE) + " " + Integer.toString(Integer.MIN_VALUE));
        System.out.println(Float.toHexString(-1.5f) + " " + Double.toHexString(Double.MIN_VALUE) + " "
                           + Double.toHexString(-0.0));
        System.out.println(Double.compare(0.0, -0.0) + " " + Float.sum(1, 2) + " " + Double.isFinite(1e308 * 10) + " "
            + Boolean.logicalXor(true, false) + " " + Character.compare('a', 'b'));
    }
}
