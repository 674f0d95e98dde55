/** A method of a generated program: known to all before any has its code. */
final class Method {
    final String owner, name, result;
    final String[] parameters;
    final int access;
    final Level level;
    final boolean ofInterface;

    Method(String owner, String name, String[] parameters, String result, int access, Level level,
           boolean ofInterface) {
        this.owner = owner;
        this.name = name;
        this.parameters = parameters;
        this.result = result;
        this.access = access;
        this.level = level;
        this.ofInterface = ofInterface;
    }

    Method in(String otherOwner, Level otherLevel) {
        return new Method(otherOwner, name, parameters, result, access, otherLevel, false);
    }

    boolean isStatic() { return (access & ClassAssembler.STATIC) != 0; }

    boolean isPrivate() { return (access & ClassAssembler.PRIVATE) != 0; }

    String descriptor() { return "(" + String.join("", parameters) + ")" + result; }
}
