import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Without compact strings (-XX:-CompactStrings) every string has two bytes for a char, whoever has made it. */
public class TwoBytesPerChar {
    static Field value, coder;

    static String shape(String s) throws Exception {
        return s + " " + s.length() + " " + ((byte[]) value.get(s)).length + " " + coder.get(s) + " " + s.hashCode();
    }

    static void show(String what, String s) throws Exception {
        System.out.println(what + ": " + shape(s));
    }

    enum Colour { RED, GREEN }

    record Pair(String left, int right) { }

    static String choose(String s) {
        return switch (s) {
            case "one" -> "1";
            case "eins" -> "1, too";
            case "\u00e9t\u00e9" -> "summer";
            case "\u4e00" -> "one in Chinese";
            default -> "other";
        };
    }

    static void madeByTheVm(String[] arguments) throws Exception {
        show("constant", "constant");
        show("empty", "");
        show("latin", "\u00e9t\u00e9");
        show("wide", "\u4e00\ud83d\ude00");
        show("argument", arguments[0]);
        show("class name", TwoBytesPerChar.class.getName());
        show("array's name", String[][].class.getName());
        show("method name", TwoBytesPerChar.class.getDeclaredMethod("choose", String.class).getName());
        show("field name", TwoBytesPerChar.class.getDeclaredField("value").getName());
        show("enum", Colour.GREEN.name());
        show("record", new Pair("l", 2).toString());
        show("property", System.getProperty("file.separator"));
        show("given property", System.getProperty("two.bytes"));
        show("thread", Thread.currentThread().getName());
        show("environment", String.valueOf(System.getenv("LC_ALL")));
        show("mapped library", System.mapLibraryName("some"));
        show("interned", new StringBuilder("const").append("ant").toString().intern());
        System.out.println(new StringBuilder("const").append("ant").toString().intern() == "constant");
        char[] chars = {'c', 'o', 'n', 's', 't'};
        System.out.println("constant".substring(0, 5).intern() == new String(chars).intern());
    }

    static void exceptions() throws Exception {
        try {
            Object o = "text";
            System.out.println((Integer) o);
        } catch (ClassCastException e) {
            show("message", e.getMessage());
            StackTraceElement top = e.getStackTrace()[0];
            show("frame's class", top.getClassName());
            show("frame's method", top.getMethodName());
            show("frame's file", top.getFileName());
        }
        try {
            Class.forName("no.such.\u00c9tat");
        } catch (ClassNotFoundException e) {
            show("not found", e.getMessage());
        }
        try {
            long[] tooLong = new long[Integer.MAX_VALUE];
        } catch (OutOfMemoryError e) {
            show("too long", e.getMessage());
        }
        try {
            "abc".charAt(3);
        } catch (StringIndexOutOfBoundsException e) {
            show("index", e.getMessage());
        }
        try {
            String none = arguments(null);
            none.length();
        } catch (NullPointerException e) {
            show("null", e.getMessage());
        }
    }

    static String arguments(String s) { return s; }

    static void madeByTheLibrary(int n) throws Exception {
        show("concatenation", "a" + n + 'c' + 1.5 + true + null + 10000000000L + "\u00e9");
        show("wide concatenation", "a" + n + "\u4e00");
        show("builder", new StringBuilder().append("ab").append(n).insert(1, "\u00e9").reverse().toString());
        show("wide builder", new StringBuilder("ab").append('\u4e00').deleteCharAt(2).toString());
        show("value of", String.valueOf(n) + String.valueOf(new char[] {'x', 'y'}) + String.valueOf(2.5f));
        show("hex", Integer.toHexString(n) + Long.toString(n, 36) + Integer.toBinaryString(n));
        show("format", String.format(Locale.ROOT, "%5d|%-4s|%x", n, "s", n));
        show("bytes", new String("\u00e9t\u00e9".getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        show("latin bytes", new String(new byte[] {65, (byte) 233}, StandardCharsets.ISO_8859_1));
        show("ascii bytes", new String(new byte[] {65, (byte) 233}, StandardCharsets.US_ASCII));
        show("joined", String.join("-", "a", "b") + new StringJoiner(",", "[", "]").add("x").add("y"));
        show("repeated", "ab".repeat(3) + "c".repeat(2));
        show("replaced", "abcabc".replace('b', '\u4e00').replace('\u4e00', 'x').replace("ca", "--"));
        show("cases", "Mixed\u00c9".toLowerCase(Locale.ROOT) + "Mixed\u00e9".toUpperCase(Locale.ROOT));
        show("stripped", "  in  ".strip() + " in ".trim() + "\t\n".strip());
        show("split", Arrays.toString("a,b,,c".split(",")) + List.of("x y z".split(" ")));
        show("formatted lines", "a\nb\n".indent(2) + "x".translateEscapes());
    }

    static void compared() {
        String a = "abcdefghijklmnopqrstuvwxyz0123456789", b = new StringBuilder(a).toString();
        String c = a.replace('z', '\u4e00');
        System.out.println(a.equals(b) + " " + a.equals(c) + " " + a.compareTo(c) + " " + c.compareTo(a) + " "
                           + a.compareTo(b + "x") + " " + a.equalsIgnoreCase(b.toUpperCase(Locale.ROOT)));
        System.out.println(a.indexOf('m') + " " + a.indexOf("xyz") + " " + c.indexOf("\u4e00") + " "
                           + a.lastIndexOf('a') + " " + a.indexOf('\u4e00') + " "
                           + a.contains("012") + " " + a.startsWith("bc", 1) + " "
                           + a.endsWith("89") + " " + a.regionMatches(true, 2, "XCDEX", 1, 3) + " "
                           + a.contentEquals(new StringBuilder(a)));
        System.out.println(choose("one") + choose(b.substring(4, 5)) + choose("\u00e9t" + "\u00e9") + choose("\u4e00")
                           + choose(new String("eins")));
        System.out.println(a.chars().sum() + " " + "\ud83d\ude00x".codePoints().count() + " " + a.codePointAt(3) + " "
                           + a.isEmpty() + "".isEmpty() + " ".isBlank() + " " + a.toCharArray().length + " "
                           + a.getBytes(StandardCharsets.UTF_16LE).length + " "
                           + c.getBytes(StandardCharsets.UTF_8).length + " "
                           + Arrays.toString("\u00e9".getBytes(StandardCharsets.ISO_8859_1)));
    }

    static int hot() {
        int sum = 0;
        for (int i = 0; i < 20000; i++) {
            String s = "k" + i % 100 + "v";
            sum += s.hashCode() + s.length() + s.charAt(s.length() - 1) + s.indexOf('v') + choose(s).length()
                   + s.compareTo("k50v") + (s.equals("k7v") ? 1 : 0)
                   + new StringBuilder(s).append(i).reverse().length();
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        value = String.class.getDeclaredField("value");
        coder = String.class.getDeclaredField("coder");
        value.setAccessible(true);
        coder.setAccessible(true);
        Field compact = String.class.getDeclaredField("COMPACT_STRINGS");
        compact.setAccessible(true);
        System.out.println("compact: " + compact.get(null));
        madeByTheVm(arguments);
        exceptions();
        madeByTheLibrary(4711);
        compared();
        System.out.println(hot());
        List<String> odd = new ArrayList<>();
        for (Object key : new java.util.TreeSet<>(System.getProperties().keySet()))
            for (String s : new String[] {(String) key, System.getProperty((String) key)})
                if (s != null && ((byte[]) value.get(s)).length != 2 * s.length()) odd.add(s);
        System.out.println("of one byte: " + odd);
    }
}
