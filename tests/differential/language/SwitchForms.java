// Every form of switch up to 17: dense, sparse, string with equal hashes, enum, nested, arrow, yield, boxed.
public class SwitchForms {
    enum Colour { RED, GREEN, BLUE, UNUSED }

    static int dense(int i) {
        switch (i) {
        case 0: return 10;
        case 1: return 11;
        case 2: return 12;
        case 4: return 14;
        case 5: return 15;
        default: return -1;
        }
    }
    static int denseNegative(int i) {
        switch (i) { case -3: return 1; case -2: return 2; case -1: return 3; case 0: return 4; }
        return 0;
    }
    static int extremes(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case -1: return 2;
            case 0: return 3;
            case 1000: return 4;
            case 1_000_000: return 5;
            case Integer.MAX_VALUE: return 6;
            default: return 7;
        }
    }
    static int atTop(int i) {
        switch (i) {
            case Integer.MAX_VALUE - 2: return 1;
            case Integer.MAX_VALUE - 1: return 2;
            case Integer.MAX_VALUE: return 3;
            default: return 0;
        }
    }
    static int atBottom(int i) {
        switch (i) {
            case Integer.MIN_VALUE: return 1;
            case Integer.MIN_VALUE + 1: return 2;
            case Integer.MIN_VALUE + 2: return 3;
            default: return 0;
        }
    }
    static String string(String s) {
        switch (s) {
            case "Aa": return "first";
            case "BB": return "second with the same hash";
            case "AaAa": case "BBBB": return "pair";
            case "AaBB": return "mixed";
            case "": return "empty";
            case "ü": return "latin";
            case "日本": return "wide";
            default: return "none";
        }
    }
    static String arrow(Colour c) {
        return switch (c) {
            case RED -> "warm";
            case GREEN, BLUE -> {
                String r = "cold";
                yield r + c.ordinal();
            }
            case UNUSED -> throw new IllegalStateException("unused");
        };
    }
    static long character(char c) {
        return switch (c) { case 'a' -> 1L; case 'z' -> 2L; case '\uffff' -> 3L;
            default -> { for (int i = 0; ; i++) if (i * i > c) yield i; } };
    }
    static double small(byte b) {
        switch (b) { case -128:
                return -1.5;
            case 127: return 1.5;
            default: return 0;
            }
    }

    public static void main(String[] args) {
        for (int i = -4; i < 8; i++) System.out.print(dense(i) + "/" + denseNegative(i) + " ");
        System.out.println(dense(Integer.MIN_VALUE) + " " + dense(Integer.MAX_VALUE));
        int[] probes = {Integer.MIN_VALUE,
                        Integer.MIN_VALUE + 1,
                        Integer.MIN_VALUE + 2,
                        Integer.MIN_VALUE + 3,
                        -2,
                        -1,
                        0,
                        1,
                        999,
                        1000,
                        1001,
                        999_999,
                        1_000_000,
                        1_000_001,
                        Integer.MAX_VALUE - 3,
                        Integer.MAX_VALUE - 2,
                        Integer.MAX_VALUE - 1,
                        Integer.MAX_VALUE};
        for (int p : probes) System.out.println(p + " " + extremes(p) + " " + atTop(p) + " " + atBottom(p));
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "ü", "日本", "x"})
            System.out.println(s.length() + " " + string(s));
        for (Colour c : Colour.values()) {
            try {
                System.out.println(arrow(c));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(character('a') + " " + character('z') + " " + character('\uffff') + " " + character('d'));
        System.out.println(small((byte) -128) + " " + small((byte) 127) + " " + small((byte) 0));
        Integer boxed = 4;
        switch (boxed) { case 4 -> System.out.println("boxed four"); default -> System.out.println("other"); }
        try {
            boxed = null;
            switch (boxed) { case 1: System.out.println("no"); }
        } catch (NullPointerException e) {
            System.out.println("null box");
        }
        try {
            string(null);
        } catch (NullPointerException e) {
            System.out.println("null string");
        }
        try {
            arrow(null);
        } catch (NullPointerException e) {
            System.out.println("null enum");
        }
    }
}
