/** Defined again and again, by loaders that are let go. */
public class Plain implements Runnable {
    public static int used;
    int field;
    long wide;
    Object reference;

    @Override
    public void run() { field++; }
    long add(long by) { return wide += by; }
    public static void use() {
        Plain p = new Plain();
        p.run();
        p.reference = p;
        used += (int) p.add(2);
    }
}
