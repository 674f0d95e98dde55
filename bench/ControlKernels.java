// Kernels of `make bench` about control flow: switches, exceptions, monitors; see Kernels.java. About a second each on
// HotSpot's interpreter.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

class ControlKernels {
    /** A machine of eight instructions: one dense switch that goes everywhere. */
    public static long switchMachine() {
        int[] program = {0, 50_000_000, 1, 7, 2, 3, 3, 1, 4, 0, 5, 2, 6, 2, 7};
        int at = 0, counter = 0, a = 0, b = 1;
        for (;;) {
            switch (program[at]) {
            case 0: counter = program[at + 1] / 5; at += 2; break;
            case 1: a += program[at + 1]; at += 2; break;
            case 2: b ^= a << program[at + 1]; at += 2; break;
            case 3: a = a * 31 + b; at += 2; break;
            case 4: if ((a & 1) == 0) b++; at += 2; break;
            case 5: counter--; at += 2; break;
            case 6: at = counter > 0 ? program[at + 1] : at + 2; break;
            default: return (long) a << 32 ^ b;
            }
        }
    }
    public static long sparseSwitch() {
        int[] keys = {10, 200, 3000, 40_000, 500_000, -7, 6_000_000, -80_000, 9, 1_000_003};
        long sum = 0;
        for (int i = 0; i < 30_000_000; i++) {
            switch (keys[i % 10]) {
            case 10: sum += 1; break;
            case 200: sum ^= i; break;
            case 3000: sum -= 3; break;
            case 40_000: sum <<= 1; break;
            case 500_000: sum += i; break;
            case -7: sum = -sum; break;
            case 6_000_000: sum |= 5; break;
            case -80_000: sum >>>= 2; break;
            case 9: sum += 9; break;
            default: sum--;
            }
        }
        return sum;
    }
    enum Kind { IDENTIFIER, NUMBER, OPERATOR, BLANK }
    public static long textSwitch() {
        String[] words = {"while", "if", "return", "name", "class", "42", "+", " ", "else", "for"};
        long sum = 0;
        for (int i = 0; i < 7_500_000; i++) {
            String word = words[i * 3 % 10];
            Kind kind = switch (word) {
            case "while", "if", "return", "class", "else", "for" -> Kind.IDENTIFIER;
            case "42" -> Kind.NUMBER;
            case " " -> Kind.BLANK;
            default -> word.length() == 1 ? Kind.OPERATOR : Kind.IDENTIFIER;
            };
            switch (kind) {
            case IDENTIFIER -> sum += word.length();
            case NUMBER -> sum ^= 42;
            case OPERATOR -> sum++;
            case BLANK -> sum -= 2;
            }
        }
        return sum;
    }

    static final class Quick extends RuntimeException {
        final int number;
        Quick(int number) {
            super(null, null, false, false);
            this.number = number;
        }
    }
    static int cleanedUp;
    /** Every second frame has a handler that does not match, or a finally. */
    static int acrossFrames(int depth, int n) {
        if (depth == 0) {
            if (n % 3 == 0) throw new IllegalStateException();
            throw new Quick(n);
        }
        if (depth % 3 == 1) return acrossFrames(depth - 1, n) + 1;
        try {
            return acrossFrames(depth - 1, n) + 2;
        } catch (ArithmeticException | ClassCastException e) {
            return -1;
        } finally {
            if (depth % 3 == 0) cleanedUp += depth;
        }
    }
    public static long acrossTenFrames() {
        long sum = 0;
        for (int i = 0; i < 330_000; i++) {
            try {
                sum += acrossFrames(10, i);
            } catch (Quick e) {
                sum += e.number;
            } catch (IllegalStateException e) {
                sum ^= i;
            }
        }
        return sum + cleanedUp;
    }
    private static final Quick REFUSED = new Quick(0);
    private static int digit(int c) {
        if (c < '0' || c > '9') throw REFUSED;
        return c - '0';
    }
    private static int number(byte[] text, int at, int sum) {
        for (int k = 0; k < 3; k++) sum = sum * 10 + digit(text[at + k & text.length - 1]);
        return sum;
    }
    /** A loop that goes on with other work where one turn in ten is refused. */
    public static long refusals() {
        byte[] text = new byte[1 << 12];
        for (int i = 0; i < text.length; i++) text[i] = (byte) (i % 29 == 28 ? '.' : '0' + i % 10);
        long sum = 0;
        int refused = 0;
        for (int i = 0; i < 12_000_000; i++) {
            try {
                sum += number(text, i, i & 7);
            } catch (Quick e) {
                refused++;
                for (int k = 0; k < 16; k++) sum = sum * 31 + (refused ^ text[k]);
            }
        }
        return sum + refused;
    }

    /** Exceptions that the machine throws, whose messages a compiler may leave out, and traces that are read. */
    public static long implicitExceptions() {
        int[] array = new int[3];
        Object text = "text";
        long sum = 0;
        for (int i = 0; i < 400_000; i++) {
            try {
                switch (i % 4) {
                case 0 -> sum += array[i % 7];
                case 1 -> sum += i / (i % 3);
                case 2 -> sum += ((Integer) text);
                default -> sum += (i % 8 == 3 ? null : array).length;
                }
            } catch (ArrayIndexOutOfBoundsException e) {
                sum += 1;
            } catch (ArithmeticException | ClassCastException e) {
                sum += 2;
            } catch (NullPointerException e) {
                if (i % 64 == 3) sum += new Throwable().getStackTrace()[0].getMethodName().length();
            }
        }
        return sum;
    }

    private int turns;
    synchronized int outer(int x) { return x == 0 ? turns : inner(x - 1) + 1; }
    synchronized int inner(int x) {
        turns++;
        synchronized (this) { return outer(x); }
    }
    /** A monitor that its owner enters again, and a lock of the library. */
    public static long reentrantMonitors() {
        ControlKernels k = new ControlKernels();
        ReentrantLock lock = new ReentrantLock();
        long sum = 0;
        for (int i = 0; i < 1_200_000; i++) {
            sum += k.outer(3);
            lock.lock();
            try {
                sum ^= i;
            } finally {
                lock.unlock();
            }
        }
        return sum;
    }
    /** Two threads that hand numbers to each other through queues of one place: parking. */
    public static long queueHandOver() throws InterruptedException {
        ArrayBlockingQueue<Integer> there = new ArrayBlockingQueue<>(1), back = new ArrayBlockingQueue<>(1);
        Thread partner = new Thread(() -> {
            try {
                for (int i = 0; i < 40_000; i++) back.put(there.take() ^ i);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        partner.start();
        long sum = 0;
        for (int i = 0; i < 40_000; i++) {
            there.put(i * 7);
            sum = sum * 31 + back.take();
        }
        partner.join();
        return sum;
    }
    /** Two threads that take turns: each waits for the other one's notification. */
    public static long monitorHandOver() throws InterruptedException {
        Object lock = new Object();
        int[] turn = {0};
        long[] sums = new long[2];
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int mine = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 40_000; i++) {
                    synchronized (lock) {
                        while ((turn[0] & 1) != mine) {
                            try {
                                lock.wait();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        sums[mine] += turn[0]++ * 3L;
                        lock.notify();
                    }
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        return sums[0] * 7 + sums[1];
    }
}
