// StringBuilder and StringBuffer: growth, insertion, deletion, coder inflation and bounds messages.
public class Builders {
    static void bad(Runnable r) {
        try {
            r.run();
            System.out.println("accepted");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(true)
            .append('c')
            .append(1)
            .append(2L)
            .append(3.5f)
            .append(4.25)
            .append("s")
            .append((String) null)
            .append(new char[] {'x', 'y'})
            .append("abcdef", 2, 4)
            .append((Object) "o")
            .appendCodePoint(0x1f600);
        System.out.println(b + " " + b.length());
        b.setLength(10);
        b.insert(0, "日").insert(3, 42).insert(5, -1.5).insert(2, new char[] {'<', '>'}).insert(1, false);
        System.out.println(b);
        b.delete(0, 3).deleteCharAt(1).replace(1, 4, "REPLACED").setCharAt(0, '本');
        System.out.println(b + " " + b.indexOf("A") + " " + b.lastIndexOf("E") + " " + b.charAt(3) + " "
                           + b.codePointAt(0));
        System.out.println(b.reverse() + " " + b.substring(3) + " " + b.subSequence(1, 3) + " "
                           + b.compareTo(new StringBuilder("x")));
        StringBuilder grow = new StringBuilder(1);
        for (int i = 0; i < 5000; i++) grow.append(i % 10);
        System.out.println(grow.length() + " " + grow.toString().hashCode() + " " + (grow.capacity() >= 5000));
        grow.append('日');
        System.out.println(grow.length() + " " + grow.toString().hashCode());
        grow.setLength(5003);
        System.out.println((int) grow.charAt(5002) + " " + (int) grow.charAt(5000));
        grow.trimToSize();
        System.out.println(grow.capacity());
        StringBuffer f = new StringBuffer("buffer");
        f.append(1).insert(0, 'x').reverse().append(f).replace(0, 2, "--");
        System.out.println(f + " " + f.length() + " " + f.chars().filter(Character::isDigit).count());
        bad(() -> new StringBuilder("abc").charAt(3));
        bad(() -> new StringBuilder("abc").deleteCharAt(3));
        bad(() -> new StringBuilder("abc").insert(4, "x"));
        bad(() -> new StringBuilder("abc").delete(2, 1));
        bad(() -> new StringBuilder("abc").setLength(-1));
        bad(() -> new StringBuilder("abc").replace(5, 6, ""));
        bad(() -> new StringBuilder(-1));
        bad(() -> new StringBuilder((String) null));
        bad(() -> new StringBuilder("abc").substring(2, 9));
        bad(() -> new StringBuilder().appendCodePoint(0x110000));
    }
}
