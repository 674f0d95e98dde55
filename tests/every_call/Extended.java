/** Gets the attribute that its constant names before it is defined. */
class Extended {
    static String name() { return "SourceDebugExtension"; }
}
