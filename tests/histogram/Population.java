// A heap whose population is known: the classes below have exactly the instances that main makes.
// Arguments: "end" ends at once; "wait" prints "ready" and ends when a line arrives on standard input.
import java.io.InputStream;
import javax.crypto.spec.IvParameterSpec;

public class Population {
    static class Alpha { int a; }
    static class Beta { Object link; long b; }
    static class Gamma extends Beta { byte c; }
    static class Gone { int g; }
    record Pair(Alpha left, Beta right) { }
    interface Shape { }
    enum Color implements Shape { RED, GREEN, BLUE }
    static class Node { Node next; }
    static class Holder { static final Alpha[] KEPT = new Alpha[100]; }
    static class Trigger { static int touched; }
    static class Late { }

    static Alpha[] alphas = new Alpha[1000];
    static Beta[][] betas = new Beta[50][50];
    static Gamma[] gammas = new Gamma[300];
    static Pair[] pairs = new Pair[77];
    static Node chain;
    static Object[] twins = new Object[2];
    static Object[] bootTwins = new Object[2];
    static Class<?>[] primitives = { int.class, void.class };
    static Late[] lates = new Late[9];

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < alphas.length; i++) alphas[i] = new Alpha();
        for (int i = 0; i < 50; i++) for (int j = 0; j < 50; j++) betas[i][j] = new Beta();
        for (int i = 0; i < gammas.length; i++) { gammas[i] = new Gamma(); gammas[i].link = gammas[i]; }
        for (int i = 0; i < pairs.length; i++) pairs[i] = new Pair(alphas[i], gammas[i]);
        for (int i = 0; i < 200_000; i++) { Node n = new Node(); n.next = chain; chain = n; }
        chain.next.next.next = chain;                  // a cycle: everything behind is unreachable
        for (int i = 0; i < 40; i++) Holder.KEPT[i] = new Alpha();
        for (int i = 0; i < 5000; i++) new Gone();
        Color color = Color.valueOf("RED");
        for (int i = 0; i < twins.length; i++)
            twins[i] = new Own().load("Population$Twin").getDeclaredConstructor().newInstance();
        bootTwins[0] = new IvParameterSpec(new byte[8]);
        bootTwins[1] = new Own().load("javax.crypto.spec.IvParameterSpec").getConstructor(byte[].class)
            .newInstance(new byte[8]);
        Trigger.touched = color.ordinal();             // prepares Trigger
        for (int i = 0; i < lates.length; i++) lates[i] = new Late();
        if (args[0].equals("wait")) {
            System.out.println("ready");
            System.in.read();
        }
    }

    public static class Twin { int t; }

    static class Own extends ClassLoader {
        Class<?> load(String name) throws Exception {
            String file = "/" + name.replace('.', '/') + ".class";
            Class<?> beside = name.startsWith("javax.") ? Object.class : Population.class;
            try (InputStream in = beside.getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
