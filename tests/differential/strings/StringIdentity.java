// Interning: literals, constants, computed strings and class names share one object where the language says so.
public class StringIdentity {
    static final String CONST = "con" + "stant";
    static final char C = 'x';
    static String field = "field";

    static class Other {
        static String literal() { return "shared literal"; }
    }

    public static void main(String[] args) {
        System.out.println("shared literal" == Other.literal());
        System.out.println(CONST == "constant");
        System.out.println(("x" + 1 + true + 'c' + 1.5) == "x1truec1.5");
        System.out.println(("" + C + C) == "xx");
        String computed = field + "!";
        System.out.println(computed == "field!");
        System.out.println(computed.intern() == "field!");
        System.out.println(new String("abc") == "abc");
        System.out.println(new String("abc").intern() == "abc");
        System.out.println(new String("日本").intern() == "日本");
        System.out.println("日本" == "\u65e5\u672c");
        System.out.println(StringIdentity.class.getName() == "StringIdentity");
        System.out.println(StringIdentity.class.getName() == StringIdentity.class.getName());
        String fresh = new StringBuilder("never seen ").append(args.length).toString();
        System.out.println(fresh.intern() == fresh);
        System.out.println(fresh.intern() == new String(fresh).intern());
        System.out.println("\0\ud800\uffff".intern() == "\0\ud800\uffff");
        System.out.println("\0\ud800\uffff".length());
        System.out.println("".intern() == "" && new String("").intern() == "");
        System.out.println(String.valueOf(true) == "true");
        System.out.println(Enum.valueOf(Thread.State.class, "NEW").name() == "NEW");
    }
}
