// Regular expressions: groups, lookaround, quantifiers, flags, replacement, splitting, Unicode, errors.
import java.util.*;
import java.util.regex.*;

public class RegularExpressions {
    static void all(String re, String in, int flags) {
        try {
            Matcher m = Pattern.compile(re, flags).matcher(in);
            StringBuilder b = new StringBuilder(re.replace("\n", "\\n") + ": ");
            while (m.find()) {
                b.append(m.start()).append('-').append(m.end()).append('=').append(m.group());
                for (int i = 1; i <= m.groupCount(); i++) b.append('(').append(m.group(i)).append(')');
                b.append(' ');
            }
            System.out.println(b.append(m.reset().matches()).append(m.reset().lookingAt()).append(m.hitEnd()));
        } catch (PatternSyntaxException e) {
            System.out.println(e.getMessage().replace("\n", " | "));
        }
    }

    public static void main(String[] args) {
        String t = "The quick brown fox, the lazy dog: 2024-02-29 and 12:34; foo_bar@example.com aaa abab";
        for (String re : new String[] {"(\\w+) (\\w+)",
                                       "(?<y>\\d{4})-(?<m>\\d\\d)-(\\d\\d)",
                                       "\\bt\\w*",
                                       "a{2,}",
                                       "a+?b",
                                       "(ab)+",
                                       "(a)|(b)",
                                       "[^\\w\\s]",
                                       "(?=f)\\w+",
                                       "(?<=the )\\w+",
                                       "(?<!\\d)\\d{2}(?!\\d)",
                                       "(\\w)\\1",
                                       "[a-f&&[^c]]+",
                                       "(?:x|fo)+",
                                       "\\S+@\\S+\\.com",
                                       "^The|com$",
                                       "a*+b",
                                       ".{5}(?=dog)",
                                       "\\p{Upper}\\p{Lower}+",
                                       "(?>a+)b",
                                       "\\Qx,\\E",
                                       "",
                                       "\\R|\\h",
                                       "(?i)THE",
                                       "x??"})
            all(re, t, 0);
        all("^line\\d$", "line1\nline2\nx\nline3", Pattern.MULTILINE);
        all("a.b", "a\nb", Pattern.DOTALL);
        all("STRASSE|é", "straße É é", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        all("a b # comment", "ab", Pattern.COMMENTS);
        all("a+b", "a+b", Pattern.LITERAL);
        all("\\w+", "grüße 日本", Pattern.UNICODE_CHARACTER_CLASS);
        all("\\p{IsHan}+|\\p{InGreek}|\\X", "日本 α e\u0301", 0);
        all(".", "\ud83d\ude00x", 0);
        all("[\\x{1f600}-\\x{1f64f}]", "a\ud83d\ude00", 0);
        for (String bad : new String[] {"(", "[a", "*", "a{2,1}", "\\", "(?<n>a)(?<n>b)", "\\k<no>", "(?<=a+)b",
                                        "[z-a]", "\\p{Nope}", "(?z)", "a{99999999999}"})
            all(bad, "x", 0);
        System.out.println("a1b22c333".replaceAll("(\\d+)", "<$1>")
                           + "2024-02-29".replaceAll("(?<y>\\d+)-(?<m>\\d+)-(?<d>\\d+)", "${d}.${m}.${y}")
                           + "abc".replaceAll("", "-") + "x.y.z".replaceFirst("\\.", Matcher.quoteReplacement("$\\"))
                           + Pattern.compile("\\d+").matcher("a1b22").replaceAll(r -> "" + r.group().length())
                           + Pattern.compile("b").splitAsStream("abcbd").toList()
                           + Arrays.toString(Pattern.compile("[,;]").split("a,b;;c,,"))
                           + Pattern.matches("[0-9a-f]+", "beef") + Pattern.compile("x").asPredicate().test("axb"));
        Matcher m = Pattern.compile("(a)(b)?").matcher("ac ab");
        StringBuilder sb = new StringBuilder();
        while (m.find()) m.appendReplacement(sb, m.group(2) == null ? "[no b]" : "[b]");
        System.out.println(m.appendTail(sb));
        System.out.println(m.reset("ab").find(0) + " " + m.toMatchResult().group(1) + m.start(2) + m.end("".length())
                           + m.region(1, 2).find() + m.pattern() + m.hasTransparentBounds());
        for (Runnable r : new Runnable[] {()
                                              -> m.group(),
                                          ()
                                              -> m.group(9),
                                          ()
                                              -> Pattern.compile("a").matcher("a").start(),
                                          ()
                                              -> "x".replaceAll("x", "$1"),
                                          ()
                                              -> "x".replaceAll("x", "\\"),
                                          () -> Pattern.compile("(?<n>a)").matcher("a").group("zz")})
            try {
                r.run();
                System.out.println("ok");
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        String deep = "a".repeat(200);
        System.out.println(deep.matches("(?:a|b)*") + " "
                           + Pattern.compile("(a?){20}a{20}").matcher("a".repeat(20)).matches() + " "
                           + Pattern.compile("[\\s\\S]*?z").matcher(deep).find());
    }
}
