package extra;
public class Systems {
    public static String where() {
        return "system class, loader " + (Systems.class.getClassLoader() == ClassLoader.getSystemClassLoader());
    }
}
