/** A field of a generated program. */
final class Field {
    final String owner, name, descriptor;
    final boolean isStatic;

    Field(String owner, String name, String descriptor, boolean isStatic) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.isStatic = isStatic;
    }

    String operand() { return Types.className(owner) + "." + name + " " + descriptor; }
}
