package extra;
public class Boot {
    public static String where() { return "boot class, loader " + Boot.class.getClassLoader(); }
}
