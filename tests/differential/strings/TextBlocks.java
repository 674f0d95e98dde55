// Text blocks with indentation, escapes and line joins.
public class TextBlocks {
    public static void main(String[] args) {
        String a = """
            first
              indented "quoted" \"""
            trailing   \s
            joined \
            line
            tab\there \u0041 \101
            """;
        System.out.print(a);
        System.out.println(a.length() + " " + a.hashCode());
        String b = """
            no newline at end""";
        System.out.println(b + "|");
        String c = """

            """;
        System.out.println(c.length());
        System.out.println("""
            {"name": "%s", "n": %d}
            """.formatted("x", 5).strip());
        System.out.println("""
            a
            b""" == "a\nb");
    }
}
