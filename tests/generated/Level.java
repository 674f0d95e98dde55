/** What the code of a method may contain: each level all of the one before, and more. */
enum Level {
    /** Arithmetic, conversions, local variables, loops, jumps of every shape. */
    ARITHMETIC,
    /** Fields, arrays, type checks. */
    OBJECTS,
    /** Switches, exceptions thrown and caught, monitors, library methods of numbers. */
    FLOW,
    /** Calls of every kind, constructors, call sites. */
    CALLS;

    boolean has(Level other) { return ordinal() >= other.ordinal(); }
}
