import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which type's values may stand where another type is expected, among the classes that a program uses. */
final class Hierarchy {
    private final Map<String, List<String>> above = new HashMap<>();
    private final List<String> classes = new ArrayList<>();

    Hierarchy() {
        add(Types.STRING, Types.OBJECT, "Ljava/lang/Comparable;");
        add("Ljava/lang/Integer;", Types.OBJECT, "Ljava/lang/Comparable;");
        add("Ljava/lang/Class;", Types.OBJECT);
        add("Ljava/lang/Comparable;", Types.OBJECT);
        add("Ljava/lang/Throwable;", Types.OBJECT);
        add("Ljava/lang/RuntimeException;", "Ljava/lang/Throwable;");
        for (String e : new String[] {"Arithmetic", "IllegalState", "NullPointer", "ClassCast", "ArrayStore",
                                      "NegativeArraySize", "IndexOutOfBounds", "IllegalMonitorState"})
            add("Ljava/lang/" + e + "Exception;", "Ljava/lang/RuntimeException;");
        add("Ljava/lang/ArrayIndexOutOfBoundsException;", "Ljava/lang/IndexOutOfBoundsException;");
        add("Ljava/lang/Error;", "Ljava/lang/Throwable;");
    }

    void add(String type, String... directlyAbove) {
        above.put(type, List.of(directlyAbove));
        classes.add(type);
    }

    /** Every class and interface that has been added. */
    List<String> classes() { return classes; }

    boolean assignable(String from, String to) {
        if (from.equals(to) || to.equals("T")) return true;
        if (!Types.reference(from) || !Types.reference(to)) return false;
        if (from.equals("N") || to.equals(Types.OBJECT)) return true;
        if (from.startsWith("["))
            return to.startsWith("[") && Types.reference(from.substring(1))
                && assignable(from.substring(1), to.substring(1));
        for (String next : above.getOrDefault(from, List.of())) if (assignable(next, to)) return true;
        return false;
    }
}
