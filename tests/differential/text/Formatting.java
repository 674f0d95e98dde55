// Formatter, DecimalFormat, MessageFormat, ChoiceFormat, Scanner: conversions, flags, widths, and every format
// exception.
import java.text.*;
import java.util.*;

public class Formatting {
    static void f(String s, Object... a) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, s, a) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        f("%d %5d %-5d| %05d %+d %,d %(d %x %X %o %#x %#o", 1, 42, 42, 42, 42, 1234567, -5, 255, 255, 8, 255, 8);
        f("%d %x %d", Long.MIN_VALUE, -1L, (byte) -1);
        f("%d %x", new java.math.BigInteger("123456789012345678901234567890"), java.math.BigInteger.TEN.negate());
        f("%f %.2f %10.3f %-10.1f| %+.0f %e %.3E %g %g %a", 1.5, 2.345, 3.14159, 2.5, 2.5, 12345.678, 0.00012, 0.00001,
          123456789.0, 1.0);
        f("%f %e %5.1f %s", Double.NaN, Double.POSITIVE_INFINITY, -0.0, 1e-5f);
        f("%.3f %s", new java.math.BigDecimal("2.71828"), new java.math.BigDecimal("1E+3"));
        f("%s %10s %-10s| %.2s %S %s %s %b %B %c %C %h %n%%", "str", "right", "left", "cut", "up", null, List.of(1),
          true, null, 'c', 0x1f600, "hash");
        f("%2$s %1$s %<s %s", "a", "b");
        f("%s %s", new int[0].length, Optional.of(1));
        f("%08.2f %(.1f %,.3f", -3.5, -2.25, 9876543.21);
        f("%tY-%<tm-%<td %<tH:%<tM:%<tS.%<tL %<tA %<tB %<tj %<tZ",
          new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT) {
              { setTimeInMillis(86_400_000L * 20_000 + 12_345_678); }
          });
        f("%tF %<tD %<te %<ta %<tb", java.time.LocalDate.of(2024, 2, 29));
        f("%tT %<tr %<tI%<tp", java.time.LocalTime.of(15, 4, 5));
        f("%d", "x");
        f("%q", 1);
        f("%s");
        f("%5");
        f("%-d", 1);
        f("%.2d", 1);
        f("%+s", "x");
        f("%,x", 1);
        f("%c", 0x110000);
        f("%c", "x");
        f("%-05d", 1);
        f("%++d", 1);
        f("%3$s", 1);
        f("%<s", 1);
        f("%.99999999999s", "x");
        f("%tQ", "x");
        f("%#s", "x");
        f("%n5%5n");
        f("%s", new Formattable() {
            public void formatTo(Formatter fm, int flags, int w, int p) {
                fm.format("formattable %d %d %d", flags, w, p);
            }
        });
        System.out.println(String.format(Locale.GERMANY, "%,.2f", 1234567.891) + " "
                           + String.format(Locale.US, "%,d", 1234567));
        for (String p : new String[] {"#,##0.00", "0.###E0", "00.0%", "¤#,##0.00", "#;(#)", "'x'#", "0.0\u2030"})
            System.out.print(new DecimalFormat(p, DecimalFormatSymbols.getInstance(Locale.US)).format(-1234.5678)
                             + " ");
        System.out.println();
        DecimalFormat df = new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.US));
        System.out.println(df.parse("1,234.5xyz") + " " + df.format(Long.MAX_VALUE) + " " + df.format(2.345)
                           + df.format(Double.NaN));
        try {
            df.parse("abc");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + e.getErrorOffset());
        }
        System.out.println(NumberFormat.getPercentInstance(Locale.US).format(0.256)
                           + NumberFormat.getCurrencyInstance(Locale.US).format(-5.5)
                           + NumberFormat.getInstance(Locale.FRANCE).format(1234.5).length()
                           + NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12345));
        System.out.println(
            new MessageFormat("{0} has {1,number,integer} of {2,choice,0#none|1#one|1<many {2}} '{quoted}' {3}",
                              Locale.US)
                .format(new Object[] {"Ann", 1234, 5, null})
            + MessageFormat.format("{1}{0}", "b", "a") + Arrays.toString(new MessageFormat("{0}-{1}").parse("x-y")));
        try {
            new MessageFormat("{bad");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new ChoiceFormat("0#zero|1#one|2#two+").format(7));
        Scanner sc = new Scanner("12 3.5 word true 99999999999 0x1f\nrest of line\n a,b,,c\n").useLocale(Locale.ROOT);
        System.out.println(sc.nextInt() + " " + sc.nextDouble() + sc.next() + sc.nextBoolean() + sc.nextLong()
                           + sc.hasNextInt() + sc.next() + "|" + sc.nextLine() + "|" + sc.nextLine());
        sc.useDelimiter(",");
        System.out.println(sc.next().strip() + sc.next() + "[" + sc.next() + "]" + sc.hasNext("c\\s*")
                           + sc.findInLine("c"));
        try {
            sc.nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e);
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        sc.close();
        try {
            sc.next();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Scanner("x").nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e);
        }
        try {
            new Scanner("").nextLine();
        } catch (NoSuchElementException e) {
            System.out.println(e);
        }
        System.out.println(new Scanner("a1b22").findAll("\\d+").map(m -> m.group()).toList() + " "
                           + new Scanner("1;2;3").useDelimiter(";").tokens().toList());
    }
}
