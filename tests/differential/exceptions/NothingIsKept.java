// What filled the heap is gone when its OutOfMemoryError has been caught: half of the heap can be had, in whatever way
// the method was called and the error caught.
public class NothingIsKept {
    static class Link {
        Link next;
        long a, b, c, d, e, f;
    }

    static void fill() {
        Link first = null;
        for (;;) {
            Link l = new Link();
            l.next = first;
            first = l;
        }
    }

    static Link added(Link l) {
        Link n = new Link();
        n.next = l;
        return n;
    }

    static void fillByCalls() {
        Link first = null;
        for (;;) first = added(first);
    }

    static boolean fails(Runnable r) {
        try {
            r.run();
            return false;
        } catch (OutOfMemoryError e) {
            return true;
        }
    }

    /** The handler is the method's own. */
    static boolean fillsHere() {
        Link first = null;
        try {
            for (;;) first = added(first);
        } catch (OutOfMemoryError e) {
            first = null;
            return !fails(() -> { byte[] half = new byte[8 << 20]; });
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 3; i++) {
            System.out.println(fails(NothingIsKept::fill));
            System.out.println(fails(() -> { byte[] half = new byte[8 << 20]; }));
            System.out.println(fails(NothingIsKept::fillByCalls));
            System.out.println(fails(() -> { byte[] half = new byte[8 << 20]; }));
            System.out.println(fillsHere());
            try {
                NothingIsKept.class.getDeclaredMethod("fill").invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause());
            }
            System.out.println(fails(() -> { byte[] half = new byte[8 << 20]; }));
        }
    }
}
