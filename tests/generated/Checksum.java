import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What a program has done, in one number: every value and exception it tells of, in their order. Its thread has it. */
public final class Checksum {
    private static final int DEPTH = 3, FRAMES = 4;
    private static final Map<String, Integer> exceptions = Collections.synchronizedMap(new TreeMap<>());
    private long sum;

    void begin() { sum = 0xcbf29ce484222325L; }

    long sum() { return sum; }

    /** How many exceptions of each class have come out of a method. */
    static Map<String, Integer> exceptions() { return exceptions; }

    private static Checksum current() { return ((RunPrograms.Worker) Thread.currentThread()).checksum; }

    public static void add(int v) {
        Checksum c = current();
        c.sum = (c.sum ^ v) * 0x100000001b3L;
    }

    public static void add(long v) {
        Checksum c = current();
        c.sum = (c.sum ^ v ^ v >>> 32) * 0x100000001b3L;
    }

    /** All NaNs are one. */
    public static void add(float v) { add(Float.floatToIntBits(v)); }

    public static void add(double v) { add(Double.doubleToLongBits(v)); }

    public static void add(Object o) { add(o, DEPTH); }

    /** The object and what it refers to, as deep as this. */
    public static void add(Object o, int depth) {
        if (o == null) {
            add(0);
        } else if (o instanceof String || o instanceof Integer) {
            add(o.hashCode());
        } else if (o instanceof Throwable) {
            throwable((Throwable) o);
        } else if (o instanceof Class) {
            add(((Class<?>) o).getName().hashCode());
        } else {
            add(o.getClass().getName().hashCode());
            if (depth > 0) contents(o, depth - 1);
        }
    }

    private static void contents(Object o, int depth) {
        if (o instanceof Generated) ((Generated) o).digest(depth);
        else if (o instanceof Object[]) for (Object e : (Object[]) o) add(e, depth);
        else if (o instanceof boolean[]) for (boolean e : (boolean[]) o) add(e ? 1 : 0);
        else if (o instanceof byte[]) for (byte e : (byte[]) o) add(e);
        else if (o instanceof char[]) for (char e : (char[]) o) add(e);
        else if (o instanceof short[]) for (short e : (short[]) o) add(e);
        else if (o instanceof int[]) for (int e : (int[]) o) add(e);
        else if (o instanceof long[]) for (long e : (long[]) o) add(e);
        else if (o instanceof float[]) for (float e : (float[]) o) add(e);
        else if (o instanceof double[]) for (double e : (double[]) o) add(e);
    }

    /** What has come out of a method. */
    public static void thrown(Throwable t) {
        exceptions.merge(t.getClass().getName(), 1, Integer::sum);
        add(t);
    }

    /** Its class, its message, and where it comes from. */
    private static void throwable(Throwable t) {
        add(t.getClass().getName().hashCode());
        add(described(t).hashCode());
        StackTraceElement[] trace = t.getStackTrace();
        for (int i = 0; i < trace.length && i < FRAMES; i++) {
            if (trace[i].getClassName().startsWith("RunPrograms")) break;
            add(trace[i].getMethodName().hashCode());
            add(trace[i].getLineNumber());
        }
    }

    /**
     * A message without what differs from run to run: the identity hash of a class loader, and why something is null,
     * which HotSpot finds by instructions that it has rewritten or not.
     */
    static String described(Throwable t) {
        String message = t.getMessage();
        if (message == null) return "none";
        if (t instanceof NullPointerException) message = message.split(" because ", 2)[0];
        int at = message.indexOf('@');
        if (at < 0) return message;
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < message.length(); i++) {
            s.append(message.charAt(i));
            if (message.charAt(i) == '@')
                while (i + 1 < message.length() && Character.digit(message.charAt(i + 1), 16) >= 0) i++;
        }
        return s.toString();
    }
}
