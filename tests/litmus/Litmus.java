// Litmus tests of the memory model (JLS 17.4): two threads race through many small trials, and the outcomes that the
// model forbids are counted. `java Litmus TRIALS MET CLASSES` prints for each test its name, its trials, how many ended
// as they never may, how many as only a weak memory lets them, and how many show that the threads ran side by side.
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;

public class Litmus {
    /** Trials between two meetings of the threads, and between two looks at the outcomes. */
    static final int CHUNK = 128, BLOCK = 2048;
    /** A test goes on until enough trials have met, but for no more trials than this. */
    static final long PATIENCE = 1_000_000_000;

    /** What the threads share in one trial: x in one of these, y in another, which is on another line of the cache. */
    static final class Cell {
        int x, y;
        volatile int vx, vy;
        long wide;
        volatile long vwide;
        volatile double vdouble;
        Box box;
        int[] array;
        void clear() {
            x = y = 0;
            vx = vy = 0;
            wide = vwide = 0;
            vdouble = 0;
            box = null;
            array = null;
        }
    }
    static final class Box {
        final int first;
        final long second;
        final int[] third;
        Box(int i) {
            first = i;
            second = i;
            third = new int[] {i};
        }
        boolean isWhole() { return first == 7 && second == 7 && third != null && third[0] == 7; }
    }

    static final VarHandle X = handle("x", int.class), Y = handle("y", int.class), WIDE = handle("wide", long.class);

    static final Unsafe U = Unsafe.getUnsafe();
    static final long AT_X = U.objectFieldOffset(Cell.class, "x"), AT_Y = U.objectFieldOffset(Cell.class, "y");

    static VarHandle handle(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Cell.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** One test. Its two racing methods store what they have seen in a and b. */
    abstract static class Test {
        final Cell[] cells = new Cell[BLOCK], others = new Cell[BLOCK];
        final int[] a = new int[BLOCK], b = new int[BLOCK];
        long trials, forbidden, weak, met;
        volatile int delayed;
        /** The model forbids it. */
        abstract boolean isForbidden(int a, int b);
        /** Allowed, but for processors that do everything in its order. */
        boolean isWeak(int a, int b) { return false; }
        /** Only what happens in both threads at the same time ends so. */
        abstract boolean isMet(int a, int b);
        /** Such an outcome exists. */
        boolean canMeet() { return true; }
        abstract void first(int from, int to);
        abstract void second(int from, int to);

        Test() {
            for (int i = 0; i < BLOCK; i++) cells[i] = new Cell();
            for (int i = 0; i < BLOCK; i++) others[i] = new Cell();
        }
        void clear() {
            for (Cell c : cells) c.clear();
            for (Cell c : others) c.clear();
        }
        void count() {
            for (int i = 0; i < BLOCK; i++) {
                if (isForbidden(a[i], b[i])) forbidden++;
                if (isWeak(a[i], b[i])) weak++;
                if (isMet(a[i], b[i])) met++;
            }
            trials += BLOCK;
        }
        boolean isDone(long wanted, long meetings) {
            return trials >= wanted && (!canMeet() || met >= meetings || trials >= PATIENCE);
        }
    }

    /** x = 1; a = y against y = 1; b = x. Both may only see 0 if the stores wait somewhere. */
    abstract static class StoreBuffering extends Test {
        boolean isForbidden(int a, int b) { return a == 0 && b == 0; }
        boolean isMet(int a, int b) { return a == 1 && b == 1; }
    }
    /** The same where that is allowed. */
    abstract static class WeakStoreBuffering extends Test {
        boolean isForbidden(int a, int b) { return false; }
        boolean isWeak(int a, int b) { return a == 0 && b == 0; }
        boolean isMet(int a, int b) { return isWeak(a, b); }
    }
    /** x = 1; flag = 1 against b = flag; a = x. Who has seen the flag sees x. The first method stores nothing. */
    abstract static class MessagePassing extends Test {
        boolean isForbidden(int a, int b) { return b == 1 && a == 0; }
        boolean isMet(int a, int b) { return b == 0 && a == 1; }
    }
    /** a = x; y = 1 against b = y; x = 1. Both can see 1 only if a load comes after the store behind it. */
    abstract static class LoadBuffering extends Test {
        boolean isForbidden(int a, int b) { return a == 1 && b == 1; }
        boolean isMet(int a, int b) { return a == 0 && b == 0; }
    }
    /** The second method's two loads of a variable go backwards. */
    abstract static class Coherence extends Test {
        boolean isForbidden(int a, int b) { return a > b; }
        boolean isMet(int a, int b) { return a < b; }
    }
    /** The second method has seen something that nobody has stored: a = 1. */
    abstract static class Whole extends Test {
        boolean isForbidden(int a, int b) { return a == 1; }
        boolean isMet(int a, int b) { return false; }
        boolean canMeet() { return false; }
    }

    static final class StoreBufferingPlain extends WeakStoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.x = 1;
                a[i] = d.y;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                d.y = 1;
                b[i] = c.x;
            }
        }
    }
    static final class StoreBufferingVolatile extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.vx = 1;
                a[i] = d.vy;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                d.vy = 1;
                b[i] = c.vx;
            }
        }
    }
    static final class StoreBufferingVolatileLong extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.vwide = 1;
                a[i] = (int) d.vdouble;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                d.vdouble = 1;
                b[i] = (int) c.vwide;
            }
        }
    }
    static final class StoreBufferingHandleVolatile extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                X.setVolatile(c, 1);
                a[i] = (int) Y.getVolatile(d);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                Y.setVolatile(d, 1);
                b[i] = (int) X.getVolatile(c);
            }
        }
    }
    static final class StoreBufferingUnsafe extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                U.putIntVolatile(c, AT_X, 1);
                a[i] = U.getIntVolatile(d, AT_Y);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                U.putIntVolatile(d, AT_Y, 1);
                b[i] = U.getIntVolatile(c, AT_X);
            }
        }
    }
    static final class StoreBufferingExchange extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                if ((int) X.getAndSet(c, 1) != 0) throw new AssertionError("getAndSet");
                a[i] = (int) Y.getVolatile(d);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                if (!Y.compareAndSet(d, 0, 1)) throw new AssertionError("compareAndSet");
                b[i] = (int) X.getVolatile(c);
            }
        }
    }
    static final class StoreBufferingFullFence extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.x = 1;
                VarHandle.fullFence();
                a[i] = d.y;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                d.y = 1;
                VarHandle.fullFence();
                b[i] = c.x;
            }
        }
    }
    static final class StoreBufferingMonitor extends StoreBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                synchronized (c) {
                    c.x = 1;
                }
                synchronized (c) {
                    a[i] = d.y;
                }
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                synchronized (c) {
                    d.y = 1;
                }
                synchronized (c) {
                    b[i] = c.x;
                }
            }
        }
    }
    static final class MessagePassingVolatile extends MessagePassing {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.x = 1;
                d.vy = 1;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = d.vy;
                a[i] = c.x;
            }
        }
    }
    static final class MessagePassingRelease extends MessagePassing {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.x = 1;
                Y.setRelease(d, 1);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = (int) Y.getAcquire(d);
                a[i] = c.x;
            }
        }
    }
    static final class MessagePassingUnsafe extends MessagePassing {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                U.putInt(c, AT_X, 1);
                U.putIntRelease(d, AT_Y, 1);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = U.getIntAcquire(d, AT_Y);
                a[i] = U.getInt(c, AT_X);
            }
        }
    }
    static final class MessagePassingFences extends MessagePassing {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                c.x = 1;
                VarHandle.releaseFence();
                Y.setOpaque(d, 1);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = (int) Y.getOpaque(d);
                VarHandle.acquireFence();
                a[i] = c.x;
            }
        }
    }
    static final class MessagePassingMonitor extends MessagePassing {
        boolean canMeet() { return false; }
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                synchronized (c) {
                    c.x = 1;
                    d.y = 1;
                }
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                synchronized (c) {
                    b[i] = d.y;
                    a[i] = c.x;
                }
            }
        }
    }
    static final class LoadBufferingVolatile extends LoadBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                a[i] = c.vx;
                d.vy = 1;
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = d.vy;
                c.vx = 1;
            }
        }
    }
    static final class LoadBufferingRelease extends LoadBuffering {
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                a[i] = (int) X.getAcquire(c);
                Y.setRelease(d, 1);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i], d = others[i];
                b[i] = (int) Y.getAcquire(d);
                X.setRelease(c, 1);
            }
        }
    }
    static final class CoherenceVolatile extends Coherence {
        void first(int from, int to) {
            for (int i = from; i < to; i++) cells[i].vx = 1;
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i];
                a[i] = c.vx;
                b[i] = c.vx;
            }
        }
    }
    static final class CoherenceOpaque extends Coherence {
        void first(int from, int to) {
            for (int i = from; i < to; i++) X.setOpaque(cells[i], 1);
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Cell c = cells[i];
                a[i] = (int) X.getOpaque(c);
                b[i] = (int) X.getOpaque(c);
            }
        }
    }
    /** A final field's object is published by a plain store. */
    static final class PublishedFinals extends Whole {
        void first(int from, int to) {
            for (int i = from; i < to; i++) cells[i].box = new Box(7);
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                Box box = cells[i].box;
                a[i] = box == null || box.isWhole() ? 0 : 1;
            }
        }
    }
    /** An array that is published by a plain store has its class and length, whatever its elements are. */
    static final class PublishedArray extends Whole {
        void first(int from, int to) {
            for (int i = from; i < to; i++) cells[i].array = new int[] {i, i, i};
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                int[] array = cells[i].array;
                a[i] = array == null ? 0 : array.length == 3 && (array[1] == i || array[1] == 0) ? 0 : 1;
            }
        }
    }
    static final class TornLongVolatile extends Whole {
        void first(int from, int to) {
            for (int i = from; i < to; i++) cells[i].vwide = -1;
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                long seen = cells[i].vwide;
                a[i] = seen == 0 || seen == -1 ? 0 : 1;
            }
        }
    }
    static final class TornLongOpaque extends Whole {
        void first(int from, int to) {
            for (int i = from; i < to; i++) WIDE.setOpaque(cells[i], -1L);
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                long seen = (long) WIDE.getOpaque(cells[i]);
                a[i] = seen == 0 || seen == -1 ? 0 : 1;
            }
        }
    }
    static final class TornDoubleVolatile extends Whole {
        static final double STORED = Double.longBitsToDouble(0x3ff1_2345_89ab_cdefL);
        void first(int from, int to) {
            for (int i = from; i < to; i++) cells[i].vdouble = STORED;
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                double seen = cells[i].vdouble;
                a[i] = seen == 0 || seen == STORED ? 0 : 1;
            }
        }
    }
    /** Increments under a monitor: none is lost. */
    static final class CountedUnderMonitor extends Whole {
        int counter;
        void clear() { counter = 0; }
        void first(int from, int to) {
            for (int i = from; i < to; i++)
                synchronized (this) {
                    counter++;
                }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++)
                synchronized (this) {
                    counter++;
                }
        }
        void count() {
            if (counter != 2 * BLOCK) forbidden++;
            trials += BLOCK;
        }
    }
    /** Atomic increments: none is lost. */
    static final class CountedAtomically extends Whole {
        final Cell cell = new Cell();
        void clear() { cell.clear(); }
        void first(int from, int to) {
            for (int i = from; i < to; i++) {
                int unused = (int) X.getAndAdd(cell, 1);
            }
        }
        void second(int from, int to) {
            for (int i = from; i < to; i++) {
                int unused = (int) X.getAndAdd(cell, 1);
            }
        }
        void count() {
            if (cell.x != 2 * BLOCK) forbidden++;
            trials += BLOCK;
        }
    }

    static List<Test> tests() {
        return List.of(new StoreBufferingPlain(), new StoreBufferingVolatile(), new StoreBufferingVolatileLong(),
            new StoreBufferingHandleVolatile(), new StoreBufferingExchange(), new StoreBufferingFullFence(),
            new StoreBufferingMonitor(), new StoreBufferingUnsafe(), new MessagePassingVolatile(),
            new MessagePassingRelease(), new MessagePassingUnsafe(),
            new MessagePassingFences(), new MessagePassingMonitor(), new LoadBufferingVolatile(),
            new LoadBufferingRelease(), new CoherenceVolatile(), new CoherenceOpaque(), new PublishedFinals(),
            new PublishedArray(), new TornLongVolatile(), new TornLongOpaque(), new TornDoubleVolatile(),
            new CountedUnderMonitor(), new CountedAtomically());
    }

    // ---- two threads that meet ------------------------------------------------------------------------------------

    static volatile int firstTurn, secondTurn;
    static volatile boolean over;

    static void meet(boolean isFirst, int turn) {
        if (isFirst) firstTurn = turn;
        else secondTurn = turn;
        for (int spins = 0; (isFirst ? secondTurn : firstTurn) - turn < 0; spins++)
            if (spins > 20_000) Thread.yield();
    }

    /** The threads do not leave a meeting together: each is delayed at times, so that every distance occurs. */
    static int delay(boolean isFirst, int turn) {
        int sum = 0;
        for (int i = (turn & 1) == 0 == isFirst ? turn >> 1 & 255 : 0; i > 0; i--) sum += i ^ turn;
        return sum;
    }

    /** The first thread clears before, and counts behind, what both do. */
    static void race(Test test, boolean isFirst, long wanted, long meetings) {
        int turn = 0;
        for (;;) {
            if (isFirst) test.clear();
            for (int from = 0; from < BLOCK; from += CHUNK) {
                meet(isFirst, ++turn);
                test.delayed += delay(isFirst, turn);
                if (isFirst) test.first(from, from + CHUNK);
                else test.second(from, from + CHUNK);
            }
            meet(isFirst, ++turn);
            if (isFirst) {
                test.count();
                over = test.isDone(wanted, meetings);
            }
            meet(isFirst, ++turn);
            if (over) return;
        }
    }

    static void run(Test test, long wanted, long meetings) throws InterruptedException {
        firstTurn = secondTurn = 0;
        Thread other = new Thread(() -> race(test, false, wanted, meetings), "second");
        other.start();
        race(test, true, wanted, meetings);
        other.join();
        System.out.println(test.getClass().getSimpleName() + ": trials " + test.trials + " forbidden " + test.forbidden
            + " weak " + test.weak + (test.canMeet() ? " met " + test.met : ""));
    }

    /** Each racing method alone, until it is as hot as it will be. */
    static void warm(Test test) {
        for (int i = 0; i < 400; i++) {
            test.clear();
            for (int from = 0; from < BLOCK; from += CHUNK) test.first(from, from + CHUNK);
            if (test instanceof StoreBufferingExchange) test.clear();
            for (int from = 0; from < BLOCK; from += CHUNK) test.second(from, from + CHUNK);
        }
    }

    // ---- class initialisation: each trial needs a class -----------------------------------------------------------

    static final class Initialised {
        static final int[] MADE = {7};
        static int plain;
        static {
            plain = MADE[0];
        }
        static int look() { return MADE != null && MADE[0] == 7 && plain == 7 ? 7 : 0; }
    }

    static void initialisation(int classes) throws Throwable {
        byte[] bytes;
        try (InputStream in = Litmus.class.getResourceAsStream("Litmus$Initialised.class")) {
            bytes = in.readAllBytes();
        }
        MethodType type = MethodType.methodType(int.class);
        List<MethodHandle> looks = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            MethodHandles.Lookup in = MethodHandles.lookup().defineHiddenClass(bytes, false);
            looks.add(in.findStatic(in.lookupClass(), "look", type));
        }
        int[] wrong = new int[2];
        firstTurn = secondTurn = 0;
        Thread other = new Thread(() -> wrong[1] = look(looks, false), "second");
        other.start();
        wrong[0] = look(looks, true);
        other.join();
        System.out.println("ClassInitialisation: trials " + classes + " forbidden " + (wrong[0] + wrong[1])
            + " weak 0");
    }

    static int look(List<MethodHandle> looks, boolean isFirst) {
        int wrong = 0, turn = 0;
        for (MethodHandle look : looks) {
            meet(isFirst, ++turn);
            try {
                if ((int) look.invokeExact() != 7) wrong++;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }
        return wrong;
    }

    public static void main(String[] args) throws Throwable {
        long wanted = Long.parseLong(args[0]), meetings = Long.parseLong(args[1]);
        List<Test> tests = tests();
        for (Test t : tests) warm(t);
        System.out.println("racing");
        for (Test t : tests) run(t, wanted, meetings);
        initialisation(Integer.parseInt(args[2]));
        System.out.println("raced");
    }
}
