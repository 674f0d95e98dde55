/**
 * Loops over arrays, long enough for their code to be optimised while they run, and the members that they need. What
 * they may spend is limited for a program's round.
 */
final class SourceLoops {
    /** Arrays by name, and their type. */
    private static final String[][] ARRAYS = {{"cells", "int"}, {"bytes", "byte"}, {"longs", "long"}, {"chars", "char"},
                                              {"decimals", "double"}, {"ints", "int"}};
    static final String MEMBERS = String.join("\n",
        "static int fuel; static int[] cells = new int[64]; static byte[] bytes = new byte[96];",
        "static final long[] longs = new long[64]; static char[] chars = new char[40];",
        "static double[] decimals = new double[33];",
        "static { for (int i = 0; i < 64; i++) { cells[i] = i * i; longs[i] = -i; } }");
    private final SourceExpressions e;
    private final StringBuilder text;

    SourceLoops(SourceExpressions e, StringBuilder text) {
        this.e = e;
        this.text = text;
    }

    /** What a round has done is in the arrays. */
    static final String DIGEST = "Checksum.add(cells); Checksum.add(bytes); Checksum.add(longs); Checksum.add(chars);"
        + " Checksum.add(decimals); Checksum.add(counted); Checksum.add(own); Checksum.add(MAP.toString().hashCode());";

    private void add(String line) { text.append(line).append('\n'); }

    /** The names of one loop in place of what stands for them. */
    private static String named(String template, String i, String sum, String[] array) {
        return template.replace("$i", i).replace("$sum", sum).replace("$array", array[0]).replace("$type", array[1]);
    }

    /** One loop; what an index may be depends on how it counts. */
    void one() {
        String[] array = ARRAYS[e.random.nextInt(ARRAYS.length)];
        String i = e.name("i"), sum = e.name("sum"), type = e.oneOf("int", "long");
        int mark = e.mark();
        add("if (fuel-- > 0) {\n" + type + " " + sum + " = " + e.of(type, 1) + ";");
        add("for (" + named(header(), i, sum, array) + ") {");
        e.declare("int", i + "f", true);
        add("final int " + i + "f = " + i + ";");
        for (int n = 1 + e.random.nextInt(3); n > 0; n--) add(named(body(type), i, sum, array));
        add("}\nlongField ^= " + sum + ";\n}");
        e.leave(mark);
    }

    private String header() {
        switch (e.random.nextInt(6)) {
        case 0: return "int $i = 0; $i < $array.length; $i++";
        case 1: return "int $i = $array.length - 1; $i >= 0; $i--";
        case 2: return "int $i = " + e.of("int", 1) + " & 7; $i < " + e.between(8, 128) + "; $i += " + e.between(1, 3);
        case 3: return "int $i = 0, $in = " + e.of("int", 1) + " & 127; $i < $in; $i++";
        case 4:
            return "int $i = " + e.between(100, 200) + "; $i > " + e.of("int", 0) + " % 50; $i -= " + e.between(1, 4);
        default: return "int $i = 1; $i != 129; $i++";
        }
    }

    /** Sometimes out of bounds. */
    private String element() {
        return "$array["
            + e.oneOf("$i", "$i", "$i", "$i & 7", "$i & 31", "$i % $array.length", "$array.length - 1 - $i", "$i >> 1",
                      "$i + 1 & 7", "($i * 5) % $array.length", "$i >>> 2", "Math.min($i, $array.length - 1)", "$i - 1",
                      "$i + 1")
            + "]";
    }

    private String body(String sumType) {
        String element = element(), other = element();
        switch (e.random.nextInt(12)) {
        case 0: case 1: return "$sum = $sum * 31 + (" + sumType + ") " + element + ";";
        case 2: return element + " = ($type) (" + other + e.oneOf(" + $i", " - $i", " * $i") + ");";
        case 3: return element + e.oneOf(" += ", " -= ", " *= ") + e.of("int", 1) + ";";
        case 4:
            return "if (" + element + " > " + other + ") { $type $sumt = " + element + "; " + element + " = " + other
                + "; " + other + " = $sumt; } else $sum++;";
        case 5: return "$sum += step($i + " + e.between(0, 2) + ").twice($i);";
        case 6: {
            String circle = e.name("c");
            return "Circle " + circle + " = new Circle($i, text); $sum ^= " + circle + ".radius() + area(" + circle
                + ");";
        }
        case 7:
            return "synchronized (" + e.oneOf("this", "new Object()", "MAP") + ") { $sum += " + e.of("int", 1) + "; }";
        case 8: {
            String boxed = e.name("boxed");
            return "Integer " + boxed + " = $i * 7; $sum -= " + boxed + " / " + e.oneOf("3;", "10;", "-5;");
        }
        case 9:
            return "$sum = (" + sumType + ") ($sum ^ "
                + e.oneOf("constantly($i)", "handled(CHOSEN, $i)", "twice($i)") + ");";
        case 10: return "if ($i == " + e.between(0, 70) + ") "
            + e.oneOf("break;", "continue;", "choose($i);", "intField++;",
                      "throw new IllegalStateException(\"at \" + $i);");
        default: return "$sum += " + e.of(sumType.equals("int") ? "int" : e.oneOf("int", "long"), 2) + ";";
        }
    }
}
