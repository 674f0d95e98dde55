// Scoped values: binding, nesting, rebinding, unbound access, exceptions, and their absence in other threads.
import java.util.concurrent.*;

public class ScopedValues {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> LEVEL = ScopedValue.newInstance();
    static String show() { return USER.orElse("nobody") + "/" + LEVEL.orElse(-1); }
    static int forever(int n) { return ScopedValue.where(LEVEL, n).call(() -> forever(n + 1) + LEVEL.get()); }
    static int recurse(int n) {
        return n == 0 ? LEVEL.get() : ScopedValue.where(LEVEL, n).call(() -> recurse(n - 1) + LEVEL.get());
    }

    public static void main(String[] args) throws Exception {
        System.out.println(show() + " " + USER.isBound());
        ScopedValue.where(USER, "alice").run(() -> {
            System.out.println(show() + " " + USER.isBound());
            ScopedValue.where(USER, "bob").where(LEVEL, 2).run(() -> System.out.println(show()));
            System.out.println(show());
        });
        System.out.println(ScopedValue.where(LEVEL, 9).call(() -> LEVEL.get() * 2) + " " + show());
        try {
            USER.get();
        } catch (java.util.NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            ScopedValue.where(USER, "x").run(() -> { throw new IllegalStateException(show()); });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + show());
        }
        try {
            ScopedValue.where(USER, "y").call(() -> { throw new Exception("checked"); });
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        System.out.println(recurse(20));
        try {
            ScopedValue.where(LEVEL, 1).call(() -> forever(1));
        } catch (StackOverflowError e) {
            System.out.println("overflowed " + show());
        }
        ScopedValue.where(USER, null).run(() -> System.out.println(USER.isBound() + " " + USER.get()));
        ScopedValue.where(USER, "main").run(() -> {
            Thread t = new Thread(() -> System.out.println(show()));
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {}
        });
        Thread.ofVirtual().start(() -> ScopedValue.where(USER, "virtual").run(() -> System.out.println(show()))).join();
        ScopedValue.Carrier c = ScopedValue.where(USER, "carrier").where(LEVEL, 3);
        System.out.println(c.get(USER) + c.get(LEVEL));
        c.run(() -> System.out.println(show()));
        c.run(() -> System.out.println(show()));
        try {
            USER.orElseThrow(() -> new java.io.IOException("supplied"));
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
