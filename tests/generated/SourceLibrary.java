/** Expressions of Java that call the library, or by method handles, and the members that they need. */
final class SourceLibrary {
    private static final String[] DIVISORS = {"2", "3", "5", "7", "-7", "10", "16", "-16", "100", "641", "1000",
                                              "65536", "1000000007", "-1", "1", "0x40000000"};
    private final SourceExpressions e;

    SourceLibrary(SourceExpressions e) { this.e = e; }

    /** Of the class with that name. */
    static String members(String name) {
        return String.join("\n",
            "static final java.util.Map<String, Integer> MAP = new java.util.HashMap<>();",
            "static final java.util.List<Integer> LIST = new java.util.ArrayList<>();",
            "static final java.util.function.IntUnaryOperator NEXT = v -> v + 1, HALF = v -> v / 2;",
            "static final int[] TABLE = {3, 1, 4, 1, 5, 9, 2, 6}, SEVEN = {2, 7, 1, 8, 2, 8, 1};",
            "static int counted; volatile int own;",
            "static int twice(int v) { return v * 2; }",
            "static int negated(int v) { if (v == 77) throw new IllegalStateException(\"77\"); return -v; }",
            "static boolean isOdd(int v) { return (v & 1) != 0; }",
            "static final java.lang.invoke.MethodHandle TWICE, CHOSEN, BOUND;",
            "static final java.lang.invoke.MutableCallSite SITE;",
            "static final java.lang.invoke.MethodHandle BY_SITE;",
            "static final java.lang.invoke.VarHandle COUNTED, OWN, ELEMENTS;",
            "static { try { java.lang.invoke.MethodHandles.Lookup all = java.lang.invoke.MethodHandles.lookup();",
            "  java.lang.invoke.MethodType type = java.lang.invoke.MethodType.methodType(int.class, int.class);",
            "  TWICE = all.findStatic(" + name + ".class, \"twice\", type);",
            "  java.lang.invoke.MethodHandle negated = all.findStatic(" + name + ".class, \"negated\", type);",
            "  CHOSEN = java.lang.invoke.MethodHandles.guardWithTest(all.findStatic(" + name + ".class, \"isOdd\",",
            "    type.changeReturnType(boolean.class)), TWICE, negated);",
            "  BOUND = java.lang.invoke.MethodHandles.insertArguments(all.findStatic(Math.class, \"max\",",
            "    type.appendParameterTypes(int.class)), 1, 9);",
            "  SITE = new java.lang.invoke.MutableCallSite(TWICE);",
            "  BY_SITE = SITE.dynamicInvoker();",
            "  COUNTED = all.findStaticVarHandle(" + name + ".class, \"counted\", int.class);",
            "  OWN = all.findVarHandle(" + name + ".class, \"own\", int.class);",
            "  ELEMENTS = java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class);",
            "} catch (ReflectiveOperationException x) { throw new Error(x); } }",
            "static int handled(java.lang.invoke.MethodHandle h, int v) { try { return (int) h.invokeExact(v); }",
            "  catch (RuntimeException x) { throw x; } catch (Throwable x) { throw new Error(x); } }",
            "static int constantly(int v) { try { return (int) TWICE.invokeExact(v) ^ (int) CHOSEN.invokeExact(v)",
            "  + (int) BY_SITE.invokeExact(v); } catch (RuntimeException x) { throw x; }",
            "  catch (Throwable x) { throw new Error(x); } }",
            "static int choose(int v) { SITE.setTarget((v & 1) == 0 ? TWICE : CHOSEN); return v; }",
            "static int merged(String key, int v) { if (MAP.size() > 40) MAP.clear();",
            "  return MAP.merge(key, v, Integer::sum); }",
            "static int listed(int v) { if (LIST.size() > 40) LIST.clear(); LIST.add(v);",
            "  LIST.sort(java.util.Comparator.comparing(x -> -x)); return LIST.indexOf(v); }",
            "interface Scaled { int base(); private int twice() { return base() * 2; }",
            "  default int scaled(int k) { return twice() + k; } static Scaled of(int v) { return () -> v; } }",
            "static abstract class Step { abstract int at(int v); int twice(int v) { return at(at(v)); } }",
            "static class Up extends Step { int at(int v) { return v + 1; } }",
            "static class Down extends Step { int at(int v) { return v - TABLE[v & 7]; } }",
            "static final class Late extends Up { int at(int v) { return super.at(v) * 3; } }",
            "static final class Later extends Step { int at(int v) { return v ^ 5; } int twice(int v) { return v; } }",
            "static Step step(int v) { switch (v & 31) { case 30: return new Late(); case 31: return new Later();",
            "  default: return (v & 1) == 0 ? new Up() : new Down(); } }",
            "static int moved(int v) { Object[] from = {\"one\", v % 9 == 0 ? (Object) v : text, \"two\"};",
            "  String[] to = new String[3]; System.arraycopy(from, 0, to, 0, 3); return to[1].length(); }",
            /* what sign a NaN has is nobody's business */
            "static double signed(double v, double like) { return Math.copySign(v, like != like ? 1 : like); }",
            "static float signed(float v, float like) { return Math.copySign(v, like != like ? 1 : like); }",
            "static Object[] mixed(int v) { return (v & 15) != 0 ? new Object[4] : new String[4]; }",
            "static int copied(int v) { int[] to = new int[12]; System.arraycopy(ints, v & 3, to, v >> 2 & 7, 4);",
            "  int[] other = to.clone(); other[v & 7]++; return java.util.Arrays.mismatch(to, other)",
            "    + java.util.Arrays.hashCode(to) + (java.util.Arrays.equals(to, other) ? 1 : 0); }");
    }

    String number(String type, int depth) { return type.equals("int") ? integer(depth) : wide(depth); }

    private String integer(int depth) {
        String a = e.of("int", depth - 1), b = e.of("int", depth - 1);
        switch (e.random.nextInt(10)) {
        case 0: case 1: return "(" + a + e.oneOf(" / ", " % ") + "(" + e.oneOf(DIVISORS) + "))";
        case 2: return e.oneOf("Math.max(", "Math.min(", "Integer.rotateLeft(", "Integer.compareUnsigned(",
                               "Math.addExact(", "Math.multiplyExact(", "Integer.compare(") + a + ", " + b + ")";
        case 3: return e.oneOf("Math.floorMod(", "Math.floorDiv(", "Integer.divideUnsigned(",
                               "Integer.remainderUnsigned(") + a + ", " + b + " | 1)";
        case 4: return e.oneOf("Math.abs(", "Integer.bitCount(", "Integer.numberOfLeadingZeros(", "Integer.reverse(",
                               "Integer.numberOfTrailingZeros(", "Integer.reverseBytes(", "Integer.signum(",
                               "Integer.highestOneBit(", "copied(", "Math.negateExact(") + a + ")";
        case 5: return ofText(depth, a);
        case 6: return handle(a, b);
        case 7: return e.oneOf("Scaled.of(" + a + ").scaled(" + b + ")", "step(" + a + ").at(" + b + ")",
                               "step(" + a + ").twice(" + b + ")", "NEXT.andThen(HALF).applyAsInt(" + a + ")",
                               "((Circle) shape(" + a + ")).radius()",
                               "SEVEN[" + a + " & 7]", "moved(" + a + ")");
        case 8: return "merged(" + e.of("String", depth - 1) + ", " + a + ")";
        default: return e.oneOf("listed(" + a + ")", "java.util.stream.IntStream.range(0, " + a + " & 15).sum()",
                                "java.util.Objects.checkIndex(" + a + " & 15, 15)",
                                "((int) java.util.Optional.of(" + e.of("String", depth - 1)
                                    + ").map(String::length).filter(n -> n > 2).orElse((int) " + b + "))");
        }
    }

    private String ofText(int depth, String a) {
        String s = e.of("String", depth - 1), t = e.of("String", depth - 1);
        return e.oneOf(s + ".hashCode()", s + ".compareTo(" + t + ")", s + ".indexOf(" + t + ")",
                       s + ".lastIndexOf('t')", "(int) " + s + ".charAt(" + a + " & 7)",
                       "(int) Character.toUpperCase(" + e.of("char", depth - 1) + ")", "Integer.parseInt(" + s + ")",
                       "new StringBuilder(" + s + ").append(" + a + ").insert(0, " + t + ").reverse().length()");
    }

    private String handle(String a, String b) {
        return e.oneOf("handled(TWICE, " + a + ")", "handled(CHOSEN, " + a + ")", "handled(BOUND, " + a + ")",
                       "handled(BY_SITE, " + a + ")", "constantly(" + a + ")", "choose(" + a + ")",
                       "(int) COUNTED.getAndAdd((int) " + a + ")",
                       "(int) ELEMENTS.getAndSet(ints, " + a + " & 7, (int) " + b + ")",
                       "(OWN.compareAndSet(this, (int) " + a + ", (int) " + b + ") ? 1 : own)",
                       "(int) OWN.getAndBitwiseXor(this, (int) " + a + ")");
    }

    private String wide(int depth) {
        String a = e.of("long", depth - 1), b = e.of("long", depth - 1);
        switch (e.random.nextInt(6)) {
        case 0: case 1: return "(" + a + e.oneOf(" / ", " % ") + "(" + e.oneOf(DIVISORS) + "L))";
        case 2: return e.oneOf("Math.max(", "Math.multiplyHigh(", "Math.addExact(", "Math.multiplyExact(")
            + a + ", " + b + ")";
        case 3: return e.oneOf("Math.floorMod(", "Long.divideUnsigned(", "Long.remainderUnsigned(", "Math.floorDiv(")
            + a + ", " + b + " | 1)";
        case 4: return e.oneOf("Math.abs(", "Long.reverse(", "Long.reverseBytes(", "Long.bitCount(",
                               "Long.numberOfTrailingZeros(", "Long.highestOneBit(") + a + ")";
        default: return e.oneOf("Long.rotateRight(" + a + ", " + e.of("int", depth - 1) + ")",
                                "Double.doubleToLongBits(" + e.of("double", depth - 1) + ")",
                                "Math.multiplyFull(" + e.of("int", depth - 1) + ", " + e.of("int", depth - 1) + ")");
        }
    }

    String decimal(String type, int depth) {
        String a = e.of(type, depth - 1), b = e.of(type, depth - 1);
        switch (e.random.nextInt(4)) {
        case 0: return e.oneOf("Math.max(", "Math.min(", "signed(") + a + ", " + b + ")";
        case 1: return "Math.fma(" + a + ", " + b + ", " + e.of(type, depth - 1) + ")";
        case 2: return "((" + type + ") "
            + e.oneOf("Math.sqrt(", "Math.floor(", "Math.ceil(", "Math.rint(", "StrictMath.sin(", "StrictMath.log(",
                      "StrictMath.cbrt(")
            + a + "))";
        default: return e.oneOf("Math.abs(", "Math.signum(", "Math.ulp(") + a + ")";
        }
    }

    String text(int depth) {
        String s = e.of("String", depth - 1), i = e.of("int", depth - 1);
        return e.oneOf("Integer.toHexString(" + i + ")", "String.valueOf(" + e.of("double", depth - 1) + ")",
                       "cut(" + s + ".repeat(" + i + " & 3))", s + ".replace('a', 'b')", s + ".strip()",
                       s + ".toUpperCase(java.util.Locale.ROOT)", "Long.toString(" + e.of("long", depth - 1) + ", 36)",
                       s + ".substring(" + i + " & 3)", "cut(" + s + ".concat(" + e.of("String", depth - 1) + "))",
                       "cut(new StringBuilder(" + s + ").append(" + i + ").append('c').reverse().toString())",
                       "cut(String.join(\"-\", " + s + ", text))");
    }

    String truth(int depth) {
        String s = e.of("String", depth - 1), t = e.of("String", depth - 1);
        return e.oneOf(s + ".isEmpty()", s + ".startsWith(" + t + ")", s + ".contains(" + t + ")",
                       s + ".equalsIgnoreCase(" + t + ")", "MAP.containsKey(" + s + ")",
                       "Double.isNaN(" + e.of("double", depth - 1) + ")",
                       "Character.isLetterOrDigit(" + e.of("char", depth - 1) + ")",
                       "java.util.Arrays.equals(ints, TABLE)", "isOdd(" + e.of("int", depth - 1) + ")");
    }
}
