// Kernels of `make bench` about text; see Kernels.java. About a second each on HotSpot's interpreter.
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class TextKernels {
    static String lines(int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < n; i++) {
            b.append("2026-").append(10 + i % 3).append('-').append(10 + i % 20).append(" host").append(i % 7)
                .append(" GET /path/").append(i * 31 % 997).append("/item?id=").append(i).append(" 200 ").append(i * 13)
                .append('\n');
        }
        return b.toString();
    }

    public static long regex() {
        Pattern line = Pattern.compile("(\\d+)-(\\d+)-(\\d+) (\\w+) (GET|POST) ([^?\\s]+)"
                                       + "(?:\\?(\\S*))? (\\d{3}) (\\d+)"),
                number = Pattern.compile("[0-9]+"), spaces = Pattern.compile("\\s+");
        String text = lines(1500);
        long sum = 0;
        for (int round = 0; round < 12; round++) {
            for (String s : text.split("\n")) {
                Matcher m = line.matcher(s);
                if (m.matches()) sum += m.group(6).length() + Integer.parseInt(m.group(9)) + m.start(8);
            }
            Matcher m = number.matcher(text);
            while (m.find()) sum += m.end() - m.start();
            sum += spaces.matcher(text).replaceAll(" ").hashCode();
        }
        return sum;
    }
    public static long formatting() {
        long sum = 0;
        for (int i = 0; i < 9000; i++) {
            sum += String.format(Locale.ROOT, "%5d|%-8s|%08x|%,d", i, "n" + i, i * 31, i * 1001L).hashCode();
            if (i % 4 == 0) sum += String.format(Locale.ROOT, "%.3f %e %g", i / 7.0, i * 1e10, i * 0.5).hashCode();
        }
        return sum;
    }
    /** Numbers to text and back. */
    public static long numbersAsText() {
        double sum = 0;
        StringBuilder b = new StringBuilder();
        for (int i = 1; i < 40_000; i++) {
            b.setLength(0);
            b.append(i * 0.37).append(' ').append(i * 1_000_003L).append(' ').append(Integer.toHexString(i));
            String s = b.toString();
            int first = s.indexOf(' '), last = s.lastIndexOf(' ');
            sum += Double.parseDouble(s.substring(0, first)) + Long.parseLong(s.substring(first + 1, last))
                 + Integer.parseInt(s.substring(last + 1), 16);
        }
        return Double.doubleToLongBits(sum);
    }
    public static long building() {
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < 1500; i++) {
                b.append("item ").append(i).append(i % 3 == 0 ? ", " : "; ").append((char) ('a' + i % 26)).append(true);
                if (i % 50 == 0) b.insert(b.length() / 2, "middle").deleteCharAt(0).setCharAt(5, '#');
            }
            sum += b.reverse().toString().hashCode();
            StringJoiner joiner = new StringJoiner(",", "[", "]");
            for (int i = 0; i < 300; i++) joiner.add("w" + i + (round & i));
            sum += joiner.toString().repeat(2).hashCode();
        }
        return sum;
    }
    public static long splitting() {
        String text = lines(300);
        long sum = 0;
        for (int round = 0; round < 65; round++) {
            for (String line : text.split("\n")) {
                for (String word : line.split(" ")) {
                    sum += word.length();
                    if (word.startsWith("/path")) sum += word.trim().split("[/?=]").length;
                }
            }
            StringTokenizer words = new StringTokenizer(text, " \n");
            while (words.hasMoreTokens()) sum += words.nextToken().hashCode();
            sum += text.lines().filter(s -> s.endsWith("3")).count();
            sum += String.join(";", Arrays.asList(text.split("/"))).length();
        }
        return sum;
    }
    public static long characters() {                     // of both forms of strings, one by one
        String latin = lines(1200), wide = latin.replace('h', '\u0141');
        long sum = 0;
        for (int round = 0; round < 30; round++) {
            for (String s : new String[] {latin, wide}) {
                int vowels = 0, digits = 0;
                for (int i = 0; i < s.length(); i++) {
                    char c = s.charAt(i);
                    if (c == 'a' || c == 'e' || c == 'i' || c == 'o') vowels++;
                    else if (Character.isDigit(c)) digits++;
                    else if (Character.isUpperCase(c)) sum += Character.toLowerCase(c);
                }
                sum += vowels * 3L + digits;
            }
        }
        return sum;
    }
    public static long encoding() {
        String text = lines(200).replace("GET", "\u00fc\u20ac\ud83d\ude00");
        long sum = 0;
        for (int round = 0; round < 400; round++) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            sum += Arrays.hashCode(bytes) + new String(bytes, StandardCharsets.UTF_8).length();
            sum += java.util.Base64.getEncoder().encodeToString(bytes).length();
        }
        return sum;
    }
    /** The least number of edits that make one word of another. */
    public static long editDistance() {
        char[] a = lines(8).toCharArray(), b = lines(9).replace('1', '7').toCharArray();
        long sum = 0;
        for (int round = 0; round < 110; round++) {
            int[] row = new int[b.length + 1];
            for (int j = 0; j <= b.length; j++) row[j] = j;
            for (int i = 1; i <= a.length; i++) {
                int diagonal = row[0];
                row[0] = i;
                for (int j = 1; j <= b.length; j++) {
                    int best = a[i - 1] == b[j - 1] ? diagonal : Math.min(diagonal, Math.min(row[j], row[j - 1])) + 1;
                    diagonal = row[j];
                    row[j] = best;
                }
            }
            sum += row[b.length];
            a[round] = 'x';
        }
        return sum;
    }

    // --- JSON --------------------------------------------------------------------------------------------------------
    static final class Parser {
        private final String text;
        private int at;
        Parser(String text) { this.text = text; }

        Object value() {
            skipBlanks();
            char c = text.charAt(at);
            switch (c) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            case 't': at += 4; return Boolean.TRUE;
            case 'f': at += 5; return Boolean.FALSE;
            case 'n': at += 4; return null;
            default: return number();
            }
        }
        private void skipBlanks() { while (text.charAt(at) <= ' ') at++; }
        private boolean next(char end) {                  // behind an element: is there another one?
            skipBlanks();
            char c = text.charAt(at++);
            if (c != ',' && c != end) throw new IllegalStateException("'" + c + "' at " + at);
            return c == ',';
        }
        private boolean empty(char end) {
            at++;
            skipBlanks();
            if (text.charAt(at) != end) return false;
            at++;
            return true;
        }
        private Map<String, Object> object() {
            Map<String, Object> map = new LinkedHashMap<>();
            if (empty('}')) return map;
            do {
                skipBlanks();
                String key = string();
                skipBlanks();
                at++;
                map.put(key, value());
            } while (next('}'));
            return map;
        }
        private List<Object> array() {
            List<Object> list = new ArrayList<>();
            if (empty(']')) return list;
            do list.add(value());
            while (next(']'));
            return list;
        }
        private String string() {
            StringBuilder b = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if (c == 'n') c = '\n';
                }
                b.append(c);
            }
            at++;
            return b.toString();
        }
        private Number number() {
            int start = at;
            boolean whole = true;
            for (; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '.' || c == 'e' || c == 'E') whole = false;
                else if ((c < '0' || c > '9') && c != '-' && c != '+') break;
            }
            String s = text.substring(start, at);
            return whole ? (Number) Long.valueOf(s) : (Number) Double.valueOf(s);
        }
    }

    static void write(Object value, StringBuilder b) {
        if (value instanceof Map) {
            char before = '{';
            for (Map.Entry<?, ?> e : ((Map<?, ?>) value).entrySet()) {
                b.append(before);
                write(e.getKey(), b);
                b.append(": ");
                write(e.getValue(), b);
                before = ',';
            }
            b.append(before == '{' ? "{}" : "}");
        } else if (value instanceof List) {
            char before = '[';
            for (Object o : (List<?>) value) {
                b.append(before);
                write(o, b);
                before = ',';
            }
            b.append(before == '[' ? "[]" : "]");
        } else if (value instanceof String) {
            b.append('"').append(((String) value).replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        } else {
            b.append(value);
        }
    }
    static Object document(int depth, int n) {
        if (depth == 0 && n % 5 == 0) return n * 0.125;
        if (depth == 0) return n % 5 == 1 ? "text \"" + n + "\" \\" : (Object) (long) n;
        Map<String, Object> map = new LinkedHashMap<>();
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            map.put("key" + (n + i), document(depth - 1, n * 7 + i));
            list.add(i == 3 ? null : i == 4 ? (Object) (n % 2 == 0) : document(depth - 1, n * 3 + i));
        }
        map.put("list", list);
        return map;
    }
    public static long json() {
        Object document = document(4, 1);
        long sum = 0;
        for (int round = 0; round < 18; round++) {
            StringBuilder b = new StringBuilder();
            write(document, b);
            String text = b.toString();
            document = new Parser(text).value();
            sum += text.hashCode() + document.hashCode();
        }
        return sum;
    }
}
