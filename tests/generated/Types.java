/**
 * Types as the generators write them: descriptors, and besides {@code N} (null), {@code T} (nothing usable) and {@code
 * U:label} (what {@code new} at the label made, before its constructor).
 */
final class Types {
    static final String NEW_THIS = "U:this";
    static final String OBJECT = "Ljava/lang/Object;", STRING = "Ljava/lang/String;";
    static final String[] PRIMITIVES = {"I", "J", "F", "D"};

    private Types() {}

    static boolean wide(String type) { return type.equals("J") || type.equals("D"); }

    static boolean reference(String type) { return type.startsWith("L") || type.startsWith("[") || type.equals("N"); }

    static boolean isNew(String type) { return type.startsWith("U"); }

    static int slots(String type) { return wide(type) ? 2 : 1; }

    /** The type on the operand stack of a value of the descriptor. */
    static String computed(String descriptor) { return "ZBCS".contains(descriptor) ? "I" : descriptor; }

    /** The letter that the type's instructions begin with. */
    static String letter(String type) {
        switch (type) {
        case "I": return "i";
        case "J": return "l";
        case "F": return "f";
        case "D": return "d";
        default: return "a";
        }
    }

    /** The name of a class or array as a class constant has it. */
    static String className(String type) {
        return type.startsWith("L") ? type.substring(1, type.length() - 1) : type;
    }

    static String ofClass(String name) { return name.startsWith("[") ? name : "L" + name + ";"; }

    /** The letter that the instructions of an array's elements begin with. */
    static String elementLetter(String array) {
        String element = array.substring(1);
        switch (element) {
        case "Z": return "b";
        case "B": case "C": case "S": return element.toLowerCase();
        default: return letter(element);
        }
    }

    /** How ClassAssembler names the type in a frame. */
    static String verification(String type) {
        switch (type) {
        case "I": return "int";
        case "J": return "long";
        case "F": return "float";
        case "D": return "double";
        case "N": return "null";
        case "T": return "top";
        case NEW_THIS: return "uninitializedThis";
        default: return isNew(type) ? "new:" + type.substring(2) : className(type);
        }
    }
}
