/**
 * Loaded only after the transformer for it is there (nothing of it is in Changed: Byte Buddy asks a class for its
 * member classes).
 */
public class Late {
    static int made;
    final String name;

    public Late(String name) {
        this.name = name;
        made++;
    }

    public String describe(int n) { return name + "/" + n; }
}
