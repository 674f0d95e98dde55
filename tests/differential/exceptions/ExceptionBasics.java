// try, catch, finally, rethrow, suppressed, causes, multi-catch, try-with-resources and control flow out of finally.
public class ExceptionBasics {
    static class Res implements AutoCloseable {
        final String name;
        Res(String name) {
            this.name = name;
            System.out.println("open " + name);
        }
        public void close() throws Exception {
            System.out.println("close " + name);
            if (name.startsWith("bad")) throw new java.io.IOException("closing " + name);
        }
    }

    @SuppressWarnings("finally")
    static int finallyWins() {
        try {
            throw new RuntimeException("lost");
        } finally {
            return 7;
        }
    }
    static int finallyKeeps() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
        }
    }
    static String order() {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            try {
                b.append('t').append(i);
                if (i == 1) continue;
                if (i == 2) throw new IllegalStateException();
                if (i == 3) break;
            } catch (IllegalStateException e) {
                b.append('c');
            } finally {
                b.append('f');
            }
        }
        return b.toString();
    }
    static void deep(int n) {
        if (n == 0) throw new UnsupportedOperationException("bottom");
        deep(n - 1);
    }
    static <T extends Throwable> void sneaky(Throwable t) throws T {
        @SuppressWarnings("unchecked") T x = (T) t;
        throw x;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(finallyWins() + " " + finallyKeeps() + " " + order());
        try (Res a = new Res("a"); Res b = new Res("bad b"); Res c = null; Res d = new Res("bad d")) {
            System.out.println("body");
            throw new RuntimeException("primary");
        } catch (RuntimeException e) {
            System.out.println(e + " " + e.getSuppressed().length + " " + e.getSuppressed()[0] + " "
                               + e.getSuppressed()[1]);
        }
        try (Res x = new Res("bad x")) {
            System.out.println("quiet");
        } catch (java.io.IOException | IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            deep(20);
        } catch (UnsupportedOperationException e) {
            StackTraceElement[] st = e.getStackTrace();
            System.out.println(st.length + " " + st[0] + " " + st[21]);
        }
        try {
            ExceptionBasics.<RuntimeException>sneaky(new java.util.concurrent.TimeoutException("sneaked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        Exception chain = new Exception("outer", new RuntimeException("middle", new Error("inner")));
        for (Throwable t = chain; t != null; t = t.getCause()) System.out.println(t);
        System.out.println(new RuntimeException(new Error("c")).getMessage());
        try {
            Exception self = new Exception("self");
            self.initCause(self);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Exception("x", null).initCause(new Error());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Exception none = new Exception("no trace", null, false, false) {};
        none.addSuppressed(new Error());
        System.out.println(none.getStackTrace().length + " " + none.getSuppressed().length);
        Throwable t = new Throwable("filled");
        t.setStackTrace(new StackTraceElement[] {new StackTraceElement("Made", "up", "Made.java", 42),
            new StackTraceElement("l", "m", "1", "C", "n", null, -2), new StackTraceElement("C", "m", null, -1)});
        t.printStackTrace(System.out);
        try {
            try {
                throw new Exception("first");
            } finally {
                Integer.parseInt("second");
            }
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        Object o = new Object();
        try {
            synchronized (o) { throw new Exception("inside"); }
        } catch (Exception e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(o));
        }
        System.out.println(new Exception() {
            public String getLocalizedMessage() { return "localised"; }
        });
        assert false : "off by default";
    }
}
