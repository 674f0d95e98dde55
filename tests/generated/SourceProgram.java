import java.util.Random;

/** A random program in Java; the same seed and number make the same text. */
final class SourceProgram {
    private static final int DEPTH = 3;

    private final String name;
    private final int release;
    private final SourceExpressions e;
    private final StringBuilder text = new StringBuilder();
    private final SourceLoops loops;

    SourceProgram(long seed, int number, int release) {
        this.release = release;
        name = "S" + number;
        e = new SourceExpressions(new Random((seed * 1000003 + number) * 0x9e3779b97f4a7c15L), release);
        loops = new SourceLoops(e, text);
    }

    String name() { return name; }

    String text() {
        add("public class " + name + " implements Generated {");
        add("static { RunPrograms.register(new " + name + "()); }");
        add(MEMBERS);
        add(SourceLibrary.members(name));
        add(SourceLoops.MEMBERS);
        if (release >= 21) add(MATCHED);
        int methods = 2 + e.random.nextInt(4);
        for (int i = 0; i < methods; i++) method(i);
        run(methods);
        add("}");
        return text.toString();
    }

    private void add(String line) { text.append(line).append('\n'); }

    private static final String MEMBERS = String.join("\n",
        "static int intField = 3, budget; static long longField = 5; static float floatField = 1;",
        "static double doubleField = 2; static byte byteField = 4; static short shortField;",
        "static char charField = 'c';",
        "static boolean flag; static String text = \"text\"; static int[] ints = {1, -2, 3, -4, 5, -6, 7, -8, 9};",
        "sealed interface Shape permits Circle, Square {}",
        "record Circle(int radius, String label) implements Shape {}",
        "record Square(long side) implements Shape { Square { if (side < 0) side = -(side / 2); } }",
        "enum Kind { PLUS { int of(int v) { return v + 1; } }, TWICE { int of(int v) { return v * 2; } };",
        "  abstract int of(int v); }",
        "class Inner { final int own; Inner(int v) { own = v; } int sum() { return own + intField + outer; } }",
        "int outer = 17;",
        "static class Box<T extends Comparable<T>> { T value; Box(T v) { value = v; }",
        "  int against(T other) { return value.compareTo(other); } }",
        "static class Text extends Box<String> { Text(String v) { super(v); }",
        "  @Override int against(String other) { return -super.against(other); } }",
        "static <T extends Comparable<T>> int greater(Box<T> box, T than) { return box.against(than); }",
        "static Shape shape(int v) { return (v & 1) == 0 ? new Circle(v, text) : new Square(v); }",
        "static int area(Shape s) { if (s instanceof Circle c && c.radius() > 3) return c.radius() * 2;",
        "  return s instanceof Square q ? (int) q.side() : -1; }",
        "static Object some(int v) { return (v & 3) == 0 ? (Object) Integer.valueOf(v) : (v & 3) == 1 ? \"s\" : v; }",
        "static int apply(java.util.function.IntUnaryOperator f, int v) { return f.applyAsInt(v); }",
        "static String cut(String s) { return s.length() > 40 ? s.substring(s.length() - 40) : s; }",
        "public void digest(int depth) { Checksum.add(outer); }");
    private static final String MATCHED = String.join("\n",
        "static int matched(Object o) { return switch (o) { case null -> 0; case Circle(int r, var l) when r > 5 -> r;",
        "  case Circle c -> c.label().length(); case Square(long s) -> (int) s; default -> 1; }; }");

    private void method(int number) {
        String result = e.oneOf(SourceExpressions.NUMBERS);
        add((e.chance(20) ? "synchronized " : "") + result + " m" + number + "(int a, long b, double c, String d) {");
        add("if (--budget < 0) return 0;");
        int mark = e.mark();
        e.declare("int", "a", false);
        e.declare("long", "b", false);
        e.declare("double", "c", false);
        e.declare("String", "d", false);
        e.callable = number;
        block(2 + e.random.nextInt(5), 2);
        add("return " + e.of(result, DEPTH) + ";\n}");
        e.leave(mark);
    }

    private void run(int methods) {
        add("public void run(int round) {\nbudget = 300;\nfuel = 40;");
        for (int i = 0; i < methods; i++) {
            add("try { Checksum.add(m" + i + "(round * " + e.of("int", 0) + ", " + e.of("long", 0) + ", "
                + e.of("double", 0) + ", " + e.of("String", 0) + "));");
            add("} catch (RuntimeException x) { Checksum.thrown(x); }");
        }
        add("Checksum.add(intField); Checksum.add(longField); Checksum.add(doubleField); Checksum.add(floatField);");
        add("Checksum.add(ints); Checksum.add(text); Checksum.add(byteField + shortField + charField);");
        add(SourceLoops.DIGEST);
        if (e.chance(20)) add("Checksum.add(1000 / (intField & 1));");
        add("}");
    }

    /* ---- statements ---- */

    private void block(int statements, int depth) {
        int mark = e.mark();
        for (int i = 0; i < statements; i++) statement(depth);
        e.leave(mark);
    }

    private void nested(int depth) { block(1 + e.random.nextInt(2), depth - 1); }

    private void statement(int depth) {
        int kind = e.random.nextInt(depth > 0 ? 19 : 10);
        switch (kind) {
        case 0: case 1: declaration(); break;
        case 2: case 3: case 4: assignment(); break;
        case 5: add("Checksum.add(" + e.of(e.oneOf("int", "long", "float", "double", "String"), DEPTH) + ");"); break;
        case 6: add("ints[" + e.of("int", 2) + (e.chance(95) ? " & 7" : "") + "] = " + e.of("int", DEPTH) + ";"); break;
        case 7: add("text = " + e.of("String", DEPTH) + ";"); break;
        case 8: loops.one(); break;
        case 9: add("mixed(" + e.of("int", 1) + ")[" + e.of("int", 1) + " & 3] = some(" + e.of("int", 1) + ");"); break;
        case 10: case 11:
            add("if (" + e.of("boolean", DEPTH) + ") {");
            nested(depth);
            add("} else {");
            nested(depth);
            add("}");
            break;
        case 12: case 13: loop(depth); break;
        case 14: cases(depth); break;
        case 15: case 16: case 17: attempt(depth); break;
        default:
            add("synchronized (this) {");
            nested(depth);
            add("}");
            break;
        }
    }

    private void declaration() {
        String type = e.oneOf("int", "long", "float", "double", "byte", "short", "char", "boolean", "String");
        boolean isFinal = e.chance(50);
        String value = e.of(type, DEPTH), variable = e.name("v");
        add((isFinal ? "final " : "") + type + " " + variable + " = " + value + ";");
        e.declare(type, variable, isFinal);
    }

    private void assignment() {
        String type = e.oneOf("int", "long", "float", "double", "byte", "short", "char", "boolean", "String");
        SourceExpressions.Variable v = e.chance(60) ? e.variable(type, true) : null;
        String to = v != null ? v.name : type.equals("boolean") ? "flag" : type.equals("String") ? "text"
            : type + "Field";
        boolean number = !type.equals("boolean") && !type.equals("String");
        if (number && e.chance(40)) add(to + e.oneOf(" += ", " -= ", " *= ") + e.of(e.oneOf("int", "double"), 2) + ";");
        else if (number && e.chance(20)) add(to + e.oneOf("++", "--") + ";");
        else add(to + " = " + e.of(type, DEPTH) + ";");
    }

    private void loop(int depth) {
        String i = e.name("i"), label = e.name("loop");
        int mark = e.mark();
        boolean labelled = e.chance(70);
        if (!labelled) add("for (final int " + i + " : ints) {");
        else add(label + ": for (int " + i + " = 0; " + i + " < " + (1 + e.random.nextInt(6)) + "; " + i + "++) {");
        add("final int " + i + "f = " + i + ";");
        e.declare("int", i + "f", true);
        if (labelled && e.chance(40))
            add("if (" + e.of("boolean", 2) + ") " + e.oneOf("break ", "continue ") + label + ";");
        nested(depth);
        add("}");
        e.leave(mark);
    }

    private void cases(int depth) {
        add("switch (" + e.of("int", 2) + " & 3) {");
        for (int i = 0; i < 3; i++) {
            add("case " + i + ": {");
            nested(depth);
            add("}" + (e.chance(60) ? " break;" : ""));
        }
        add("default: break;\n}");
    }

    private void attempt(int depth) {
        String x = e.name("x");
        add("try {");
        nested(depth);
        if (e.chance(40))
            add("if (" + e.of("boolean", 2) + ") throw new IllegalStateException(" + e.of("String", 2) + ");");
        add("} catch (ArithmeticException | IndexOutOfBoundsException " + x + ") {\nChecksum.add(" + x + ");");
        nested(depth);
        add("} catch (IllegalStateException " + x + ") {\nChecksum.add(" + x + ");\n}");
        if (!e.chance(40)) return;
        add("finally {");
        nested(depth);
        add("}");
    }
}
