// Which flags a class, a field or a method may have together. JVMS 4.1, 4.5, 4.6.
public class AccessFlags {
    static final int PU = Crafted.PUBLIC, ST = Crafted.STATIC, AB = Crafted.ABSTRACT;

    static void classes(int version) {
        int[] flags = {PU, Crafted.FINAL, Crafted.SUPER, Crafted.INTERFACE, AB, 0x1000, 0x2000, 0x4000, 0x8000};
        for (int set = 0; set < 1 << flags.length; set++) {
            int access = 0;
            for (int i = 0; i < flags.length; i++)
                if ((set >> i & 1) != 0) access |= flags[i];
            /* with SUPER and SYNTHETIC alone nothing changes */
            if (Integer.bitCount(access & ~(PU | Crafted.SUPER)) <= 3 && (access & 0x1020) != 0x20)
                Crafted.row("class " + Integer.toHexString(access) + "/" + version,
                    Crafted.type(version, access, "User", "java/lang/Object"));
        }
    }

    static void members(int version, boolean face) {
        String where = (face ? " in an interface/" : " in a class/") + version;
        for (int visible : new int[] {0, 1, 2, 4, 3, 5, 6, 7})
            for (int rest : new int[] {0, ST, Crafted.FINAL, ST | Crafted.FINAL, 64, ST | 64, Crafted.FINAL | 64, 128,
                     ST | Crafted.FINAL | 128, 0x1000, ST | Crafted.FINAL | 0x1000, 0x4000, ST | Crafted.FINAL | 0x4000,
                     0x0100, 0x8000})
                if (visible < 3 || visible == 4 || (rest & ~(ST | Crafted.FINAL)) == 0)
                    Crafted.row("field " + Integer.toHexString(visible | rest) + where,
                        type(version, face).field(visible | rest, "f", "I"));
        for (int visible : new int[] {0, 1, 2, 4, 3, 5, 6, 7})
            for (int rest : new int[] {0, ST, Crafted.FINAL, ST | Crafted.FINAL, 32, ST | 32, 64, 128, 256, ST | 256,
                     AB, AB | ST, AB | Crafted.FINAL, AB | 32, AB | 256, AB | 2048, 2048, ST | 2048, AB | 64, AB | 128,
                     0x1000, AB | 0x1000, 0x2000, 0x8000})
                if (visible < 3 || visible == 4 || rest == 0 || rest == AB || rest == ST) {
                    int access = visible | rest;
                    String name = Integer.toHexString(access) + where;
                    ClassAssembler one = type(version, face), two = type(version, face);
                    boolean bare = (access & (AB | 256)) != 0;
                    Crafted.row("method " + name,
                        bare ? one.method(access, "m", "()V") : one.method(access, "m", "()V", 0, 1, "return"));
                    if (!face)
                        Crafted.row("constructor " + name,
                            bare ? two.method(access, "<init>", "()V") : two.constructor(access));
                    if (face || visible == 0)
                        Crafted.row("initializer " + name,
                            bare ? type(version, face).method(access, "<clinit>", "()V")
                                 : type(version, face).method(access, "<clinit>", "()V", 0, 1, "return"));
                }
    }

    static ClassAssembler type(int version, boolean face) {
        return face ? Crafted.iface(version, "User")
                    : Crafted.type(version, PU | Crafted.SUPER | AB, "User", "java/lang/Object");
    }

    public static void main(String[] args) {
        for (int version : new int[] {48, 52, 61}) {
            Crafted.section("4.1");
            if (version != 52) classes(version);
            for (boolean face : new boolean[] {false, true}) {
                Crafted.section("4.5, 4.6");
                members(version, face);
            }
        }
        Crafted.end();
    }
}
