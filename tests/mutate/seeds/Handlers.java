/* Exception tables: nested, finally, multi-catch, resources, handlers inside loops and around constructors. */
import java.io.IOException;

public class Handlers {
    static int depth;

    static class Resource implements AutoCloseable {
        final String name;
        Resource(String name) throws IOException {
            if (name.isEmpty()) throw new IOException("empty");
            this.name = name;
        }
        @Override public void close() throws IOException {
            if (name.equals("bad")) throw new IOException(name);
        }
    }

    static class Failure extends Exception {
        private static final long serialVersionUID = 1;
        final int code;
        Failure(int code, Throwable cause) {
            super("failure " + code, cause);
            this.code = code;
        }
    }

    static int simple(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int nested(Object o, int k) throws Failure {
        int result = 0;
        try {
            try {
                result = o.hashCode() / k;
            } catch (NullPointerException | ArithmeticException e) {
                result = 1;
                throw new Failure(k, e);
            } finally {
                result += 10;
                depth++;
            }
        } catch (IllegalStateException e) {
            result = 2;
        } finally {
            depth--;
        }
        return result;
    }

    static String resources(String a, String b) {
        try (Resource r = new Resource(a); Resource q = new Resource(b)) {
            return r.name + q.name;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    static long looping(int[] data) {
        long sum = 0;
        for (int i = 0; ; i++) {
            try {
                sum += data[i];
                if (sum > 1000) break;
            } catch (ArrayIndexOutOfBoundsException e) {
                break;
            }
        }
        return sum;
    }

    static synchronized void locked(Object lock, Runnable r) {
        synchronized (lock) {
            synchronized (Handlers.class) {
                r.run();
            }
        }
    }

    static void thrower(int k) throws Throwable {
        Throwable t = null;
        try {
            if (k == 0) throw new Error("zero");
            if (k == 1) throw new RuntimeException("one");
        } catch (RuntimeException e) {
            t = e;
        } catch (Error e) {
            t = e;
        }
        if (t != null) throw t;
    }

    public static void main(String[] args) throws Throwable {
        simple("12");
        simple("x");
        try {
            nested(null, 1);
        } catch (Failure f) {
            depth = f.code;
        }
        nested("x", 3);
        resources("a", "bad");
        resources("", "b");
        looping(new int[] {1, 2, 3});
        locked(new Object(), () -> depth++);
        thrower(2);
    }
}
