import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions of Java, by type, over the variables in scope. */
final class SourceExpressions {
    static final String[] NUMBERS = {"int", "long", "float", "double", "byte", "short", "char"};
    private static final String[] LITERALS = {"0", "1", "-1", "7", "31", "32", "63", "64", "255", "-128", "65536",
                                              "Integer.MAX_VALUE", "Integer.MIN_VALUE", "0x55555555"};
    private static final String[] LONGS = {"0L", "1L", "-1L", "1L << 40", "Long.MIN_VALUE", "Long.MAX_VALUE", "63L"};
    private static final String[] DECIMALS = {"0.0", "-0.0", "1.5", "-2.5", "1e10", "1e300", "Double.NaN",
                                              "Double.MIN_VALUE", "Double.POSITIVE_INFINITY", "0.1"};
    private static final String[] TEXTS = {"\"\"", "\"a\"", "\"one\"", "\"two\"", "\"Grüße\"", "\"x\" + 1"};

    /** A local variable. */
    static final class Variable {
        final String type, name;
        final boolean isFinal;

        Variable(String type, String name, boolean isFinal) {
            this.type = type;
            this.name = name;
            this.isFinal = isFinal;
        }
    }

    final Random random;
    private final int release;
    private List<Variable> scope = new ArrayList<>();
    private final SourceLibrary library = new SourceLibrary(this);
    int callable; /* methods m0 to here may be called */
    private int names;

    SourceExpressions(Random random, int release) {
        this.random = random;
        this.release = release;
    }

    boolean chance(int percent) { return random.nextInt(100) < percent; }

    /** One of the numbers, both ends among them. */
    int between(int least, int most) { return least + random.nextInt(most - least + 1); }

    String oneOf(String... all) { return all[random.nextInt(all.length)]; }

    String name(String prefix) { return prefix + names++; }

    /* ---- variables ---- */

    void declare(String type, String name, boolean isFinal) { scope.add(new Variable(type, name, isFinal)); }

    /** How many are in scope, to leave it again. */
    int mark() { return scope.size(); }

    void leave(int mark) { scope = new ArrayList<>(scope.subList(0, mark)); }

    Variable variable(String type, boolean toWrite) {
        List<Variable> fitting = new ArrayList<>();
        for (Variable v : scope) if (v.type.equals(type) && !(toWrite && v.isFinal)) fitting.add(v);
        return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
    }

    /* ---- expressions; all in parentheses where they need it ---- */

    String of(String type, int depth) {
        Variable v = chance(depth <= 0 ? 70 : 25) ? variable(type, false) : null;
        if (v != null) return v.name;
        if (chance(10)) return type.equals("boolean") ? "flag" : type.equals("String") ? "text" : type + "Field";
        switch (type) {
        case "boolean": return truth(depth);
        case "String": return text(depth);
        case "int": return number("int", depth);
        case "long": return number("long", depth);
        case "float": case "double": return decimal(type, depth);
        default: return "(" + type + ") " + of("int", depth);
        }
    }

    private String number(String type, int depth) {
        boolean isInt = type.equals("int");
        if (depth <= 0) return "(" + (isInt ? oneOf(LITERALS) : oneOf(LONGS)) + ")";
        if (chance(20)) return library.number(type, depth);
        String a = of(type, depth - 1), b = of(type, depth - 1);
        switch (random.nextInt(isInt ? 14 : 8)) {
        case 0: case 1: return "(" + a + oneOf(" + ", " - ", " * ", " & ", " | ", " ^ ") + b + ")";
        case 2: return "(" + a + oneOf(" << ", " >> ", " >>> ") + of("int", depth - 1) + ")";
        case 3: return "(" + a + oneOf(" / ", " % ") + "(" + b + (chance(90) ? " | 1" : "") + "))";
        case 4: return oneOf("(-", "(~") + a + ")";
        case 5: return "((" + type + ") " + of(oneOf(NUMBERS), depth - 1) + ")";
        case 6: return "(" + of("boolean", depth - 1) + " ? " + a + " : " + b + ")";
        case 7: return callable > 0 ? "(" + type + ") " + call(depth) : a;
        case 8: return "ints[" + a + (chance(95) ? " & 7" : "") + "]";
        case 9: return of("String", depth - 1) + ".length()";
        case 10: return switched(depth);
        case 11: return lambda(depth);
        case 12: return objects(depth);
        default: return oneOf("intField++", "++ints[3]", "intField--", "(intField += " + a + ")");
        }
    }

    private String decimal(String type, int depth) {
        if (depth <= 0) return "((" + type + ") " + oneOf(DECIMALS) + ")";
        if (chance(20)) return library.decimal(type, depth);
        String a = of(type, depth - 1), b = of(type, depth - 1);
        switch (random.nextInt(5)) {
        case 0: return "((" + type + ") " + of(oneOf(NUMBERS), depth - 1) + ")";
        case 1: return "(-" + a + ")";
        case 2: return "(" + of("boolean", depth - 1) + " ? " + a + " : " + b + ")";
        default: return "(" + a + oneOf(" + ", " - ", " * ", " / ", " % ") + b + ")";
        }
    }

    private String truth(int depth) {
        if (depth <= 0) return oneOf("true", "false", "flag");
        if (chance(20)) return library.truth(depth);
        switch (random.nextInt(6)) {
        case 0: return "(" + of("boolean", depth - 1) + oneOf(" && ", " || ", " ^ ") + of("boolean", depth - 1) + ")";
        case 1: return "(!" + of("boolean", depth - 1) + ")";
        case 2: return of("String", depth - 1) + ".equals(" + of("String", depth - 1) + ")";
        case 3: {
            String name = name("q");
            return "(some(" + of("int", depth - 1) + ") instanceof Integer " + name + " && " + name + " > "
                + of("int", depth - 1) + ")";
        }
        default: {
            String type = oneOf("int", "long", "float", "double");
            return "(" + of(type, depth - 1) + oneOf(" < ", " <= ", " == ", " != ", " > ", " >= ")
                + of(type, depth - 1) + ")";
        }
        }
    }

    private String text(int depth) {
        if (depth <= 0) return "(" + oneOf(TEXTS) + ")";
        if (chance(25)) return library.text(depth);
        String parts = of("String", depth - 1);
        for (int n = 1 + random.nextInt(3); n > 0; n--)
            parts += " + " + of(oneOf("int", "long", "char", "boolean", "double", "String"), depth - 1);
        return chance(80) ? "cut(" + parts + ")" : "cut(text + shape(" + of("int", depth - 1) + "))";
    }

    private String call(int depth) {
        return "m" + random.nextInt(callable) + "(" + of("int", depth - 1) + ", " + of("long", depth - 1) + ", "
            + of("double", depth - 1) + ", " + of("String", depth - 1) + ")";
    }

    private String switched(int depth) {
        boolean byText = chance(30);
        String on = byText ? of("String", depth - 1) : "(" + of("int", depth - 1) + " & 7)";
        StringBuilder s = new StringBuilder("(switch (" + on + ") { ");
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            s.append("case ").append(byText ? "\"" + (i == 0 ? "a" : i == 1 ? "one" : "k" + i) + "\"" : 2 * i);
            s.append(chance(70) ? " -> " + of("int", depth - 1) + "; "
                                : " -> { intField ^= " + of("int", depth - 1) + "; yield " + of("int", depth - 1)
                                      + "; } ");
        }
        return s + "default -> " + of("int", depth - 1) + "; })";
    }

    /** What a lambda takes from outside is final. */
    private String lambda(int depth) {
        List<Variable> outside = scope;
        String argument = of("int", depth - 1), name = name("x");
        scope = new ArrayList<>();
        for (Variable v : outside) if (v.isFinal) scope.add(v);
        declare("int", name, true);
        String body = of("int", depth - 1);
        scope = outside;
        return "apply(" + name + " -> " + body + ", " + argument + ")";
    }

    /** Records, enums, inner and generic classes that every program has. */
    private String objects(int depth) {
        String i = of("int", depth - 1);
        switch (random.nextInt(release >= 21 ? 7 : 6)) {
        case 0: return "area(shape(" + i + "))";
        case 1: return "shape(" + i + ").hashCode()";
        case 2: return "Kind.values()[" + i + " & 1].of(" + of("int", depth - 1) + ")";
        case 3: return "new Inner(" + i + ").sum()";
        case 4: return "greater(new Box<Integer>(" + i + "), " + of("int", depth - 1) + ")";
        case 5: return "greater(new Text(" + of("String", depth - 1) + "), " + of("String", depth - 1) + ")";
        default: return "matched(shape(" + i + "))";
        }
    }
}
