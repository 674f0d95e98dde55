// The methods of String over Latin-1, UTF-16 and surrogate text.
import java.util.Arrays;
import java.util.stream.Collectors;

public class StringMethods {
    public static void main(String[] args) {
        String[] samples = {"",
                            "a",
                            "Hello, World",
                            "  padded\t",
                            "grüße",
                            "日本語テキスト",
                            "mixed ü 日",
                            "\ud83d\ude00smile\ud83d\ude01",
                            "\ud83dlone",
                            "İstanbul ß ﬁ"};
        for (String s : samples) {
            System.out.println(
                s.length() + " " + s.hashCode() + " " + s.codePointCount(0, s.length()) + " "
                + s.toUpperCase(java.util.Locale.ROOT).length() + " " + s.toLowerCase(java.util.Locale.ROOT).hashCode()
                + " " + s.trim().length() + " " + s.strip().length() + " " + s.isBlank() + " " + s.isEmpty() + " "
                + s.indexOf('e') + " " + s.lastIndexOf("e") + " " + s.indexOf(0x1f601) + " " + s.contains("日") + " "
                + s.repeat(3).hashCode() + " " + s.concat("日").hashCode() + " " + s.replace('e', 'é').hashCode() + " "
                + s.replace("e", "日本").hashCode() + " " + s.chars().sum() + " " + s.codePoints().max().orElse(-1)
                + " " + new StringBuilder(s).reverse().toString().hashCode());
        }
        for (String a : samples) {
            StringBuilder b = new StringBuilder();
            for (String c : samples)
                b.append(Integer.signum(a.compareTo(c)))
                    .append(a.equalsIgnoreCase(c) ? "=" : "")
                    .append(a.regionMatches(true, 0, c, 0, 1) ? "r" : "")
                    .append(' ');
            System.out.println(b);
        }
        String s = "one,two,,three,";
        System.out.println(Arrays.toString(s.split(",")) + Arrays.toString(s.split(",", -1))
                           + Arrays.toString(s.split(",", 2)) + Arrays.toString("a1b22c".split("\\d+")));
        System.out.println(String.join("-", "a", "b", "c") + String.join("/", Arrays.asList("x", "y"))
                           + String.valueOf((Object) null) + String.valueOf(new char[] {'q', 'r'}));
        System.out.println("abcdef".substring(2) + "abcdef".substring(1, 3) + "abc".startsWith("b", 1)
                           + "abc".endsWith("bc") + "abc".matches("[a-c]+") + "Abc".compareToIgnoreCase("aBD"));
        System.out.println("line1\nline2\r\nline3".lines().map(String::length).collect(Collectors.toList()) + " "
                           + "x\\ty\\n".translateEscapes() + "a\n b".indent(2).replace("\n", "|")
                           + "  a\n   b".stripIndent().replace("\n", "|"));
        System.out.println("%d-%s".formatted(5, "five")
                           + "abc".chars().mapToObj(c -> String.valueOf((char) (c + 1))).collect(Collectors.joining()));
        System.out.println("aXbXc".replaceAll("X", "\\$") + "aXbX".replaceFirst("X", "[$0]") + "tEST".toUpperCase()
                           + "ÀÉ".toLowerCase());
        System.out.println(new String(new int[] {0x41, 0x1f600, 0x42}, 0, 3).length() + " "
            + "a\0b".length() + " "
            + "\u00ff\u0100".charAt(1) + " "
            + "x".compareTo("xyz"));
        System.out.println("hello".contentEquals(new StringBuilder("hello")) + " "
            + "hello".indexOf("l", 3) + " "
            + "hello".lastIndexOf('l', 2) + " "
            + "hello".indexOf("") + " "
            + "hello".codePointAt(1) + " "
            + "hello".offsetByCodePoints(0, 2));
        char[] dst = new char[5];
        "日本語".getChars(0, 2, dst, 1);
        "ab".getChars(0, 2, dst, 3);
        System.out.println(Arrays.toString(dst).hashCode() + " " + dst[1] + dst[4]);
        Runnable[] bad = {()
                              -> "abc".charAt(3),
            ()
                -> "日".charAt(-1),
            ()
                -> "abc".substring(2, 1),
            ()
                -> "abc".substring(4),
            ()
                -> "x".repeat(-1),
            ()
                -> "abc".codePointAt(5),
            ()
                -> new String(new char[2], 1, 5),
            () -> "a".compareTo(null), () -> "abc".getChars(0, 4, new char[9], 0), () -> String.valueOf((char[]) null)};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("no exception");
            } catch (RuntimeException e) {
                System.out.println(e);
            } catch (OutOfMemoryError e) {
                System.out.println("OutOfMemoryError");
            }
        }
    }
}
