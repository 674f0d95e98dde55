// Hot methods that catch what they call has thrown, or they themselves: a handler finds the variables as they were, of
// all types, wherever they had been meanwhile, and goes on in loops, in further handlers, in returns.
import java.util.ArrayList;
import java.util.List;

public class OptimisedHandlers {
    static class Refused extends RuntimeException {
        final int at;
        Refused(int at) { this.at = at; }
    }
    static final class Never extends Refused { Never() { super(-1); } }
    static final Refused KEPT = new Refused(7);
    interface Source { int next(int i); }
    static final Source[] SOURCES = {
        i -> i * 3,
        i -> {
            if (i % 5 == 0) throw new Refused(i);
            return i;
        },
        new Source() {
            public int next(int i) {
                if (i % 7 == 3) throw KEPT;
                return -i;
            }
        }};
    static int counter;
    int field = 3;

    // ---- callees ---------------------------------------------------------------------------------------------------

    static int refuses(int i, int each) {
        counter++;
        if (i % each == 0) throw new Refused(i);
        return i ^ 21;
    }
    static long refusesLong(long i) {
        if (i % 6 == 1) throw new Refused((int) i);
        return i * 1_000_000_007L;
    }
    static double refusesDouble(double d, int i) {
        if (i % 9 == 4) throw KEPT;
        return d * 0.75 + i;
    }
    static Object refusesObject(Object o, int i) {
        if (i % 4 == 2) throw new Refused(i);
        return o;
    }
    static int deep(int depth, int i) { return depth == 0 ? refuses(i, 3) : deep(depth - 1, i) + 1; }
    static int collects(int i) {
        if (i % 3000 == 2999) {
            System.gc();
            throw new Refused(i);
        }
        return i;
    }
    static int length(String s) { return s.length(); }
    static int element(int[] a, int i) { return a[i]; }
    static int chosen(Source s, int i) { return s.next(i); }
    static int endless(int n) { return endless(n + 1) + 1; }
    int own(int i) {
        if (i % 8 == field) throw new Refused(field);
        return i + field;
    }

    // ---- callers ---------------------------------------------------------------------------------------------------

    static int turns(int n) {
        int good = 0, bad = 0;
        for (int i = 0; i < n; i++) {
            try {
                good += refuses(i, 10);
            } catch (Refused e) {
                bad += e.at;
                for (int k = 0; k < 3; k++) bad = bad * 31 + k;
            }
        }
        return good * 3 + bad;
    }

    /** The try is in no loop but for its handler. */
    static int again(int n) {
        int i = n, tries = 0;
        while (true) {
            try {
                return deep(2, i) + tries;
            } catch (Refused e) {
                i++;
                tries += 100;
            }
        }
    }

    /** What the handler finds is what they were before the call. */
    static double types(int n) {
        int k = 1;
        long l = 2;
        float f = 3;
        double d = 4;
        Object o = "five";
        String text = "";
        double all = 0;
        for (int i = 0; i < n; i++) {
            try {
                k = k * 7 + i;
                l = refusesLong(l + i) ^ k;
                f = f / 2 + k;
                d = refusesDouble(d, i) - f;
                o = refusesObject(o == text ? "five" : text, i);
                k = refuses(k & 0xffff, 11);
            } catch (Refused e) {
                all += k + l % 1000 + f + d + (o == text ? 1 : 0) + e.at;
                k = e.at;
                l -= 3;
                f = k;
                d = d / 2;
                o = e;
            }
            if (Math.abs(d) > 1e6) d = i;
            if (Math.abs(f) > 1e6f) f = i;
        }
        return all + k + l + f + d;
    }

    static int operands(int n, int[] a) {
        int x = 1, sum = 0;
        for (int i = 0; i < n; i++) {
            int at = i & 3;
            try {
                sum += x * refuses(x = i, 4) + a[at++] - refuses(a[at & 3] += at, 5);
            } catch (Refused e) {
                sum ^= x + at * 16 + e.at;
            }
        }
        return sum + a[0] + 3 * a[1];
    }

    static int nested(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                try {
                    sum += refuses(i, 3);
                } catch (Never e) {
                    sum += 1_000_000;
                } finally {
                    sum += 5;
                    sum ^= refuses(i + 1, 7);
                }
            } catch (Refused e) {
                try {
                    sum -= deep(1, e.at + 1);
                } catch (RuntimeException again) {
                    sum += again == e ? 1 : 2;
                    continue;
                }
                if (sum == i) break;
            }
            sum++;
        }
        return sum;
    }

    static int returned(int i) {
        try {
            return refuses(i, 2);
        } catch (Never e) {
            return -1;
        } catch (Refused | IllegalStateException e) {
            return counter & 15;
        } finally {
            counter += 2;
        }
    }

    static int thrownHere(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            long kept = i * 3L;
            try {
                if (i % 3 == 0) throw new Refused(i);
                if (i % 5 == 0) throw KEPT;
                if (i % 7 == 0) throw null;
                sum += i;
            } catch (Refused e) {
                sum += e.at + (int) kept;
            } catch (NullPointerException e) {
                sum -= (int) kept;
            }
        }
        return sum;
    }

    static int implicit(int n, int[] a, String[] texts, Object[] objects) {
        int sum = 0, i = 0;
        for (; i < n; i++) {
            int before = sum;
            try {
                sum += a[i & 15];
                sum += texts[i & 3].length() / (i & 7);
                objects[i & 1] = i % 3 == 0 ? (Object) texts : texts[0];
                sum += ((String) objects[1]).length() + new byte[(i & 31) - 1].length;
            } catch (ArrayIndexOutOfBoundsException e) {
                sum = before + 1;
            } catch (NullPointerException | ArithmeticException e) {
                sum = before ^ i;
            } catch (ArrayStoreException | ClassCastException e) {
                sum += 7;
            } catch (NegativeArraySizeException e) {
                sum -= 11;
            }
        }
        return sum;
    }

    /** The second check fails in the handler of the first. */
    static int failsTwice(int n, int[] a, String[] texts) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                try {
                    sum += a[i & 15];
                } catch (ArrayIndexOutOfBoundsException e) {
                    sum += texts[i & 3].length();
                }
            } catch (NullPointerException e) {
                sum -= 3;
            }
        }
        return sum;
    }

    /** A variable that is null, or not, where the handler asks, or takes it for granted. */
    static int nullOrNot(int n, String[] texts) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            String text = texts[i & 3];
            Object other = i % 3 == 0 ? null : texts;
            try {
                sum += refuses(i, 5);
            } catch (Refused e) {
                if (other == null) sum ^= 3;
                try {
                    sum += text.length();
                } catch (NullPointerException none) {
                    sum++;
                }
            }
        }
        return sum;
    }

    /** What is inlined throws: by its checks, by what it calls, itself. */
    static int inlined(int n, String[] texts, int[] a) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int kept = sum + i;
            try {
                sum += length(texts[i & 3]) + element(a, i & 15);
                sum += chosen(SOURCES[i % 3], i);
            } catch (Refused e) {
                sum = kept + e.at;
            } catch (RuntimeException e) {
                sum = kept ^ 3;
            }
        }
        return sum;
    }

    int member(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += own(i);
                field = i & 7;
            } catch (Refused e) {
                sum += e.at * 100;
                field++;
            }
        }
        return sum;
    }

    static int locked(int n, Object lock) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                synchronized (lock) {
                    sum += refuses(i, 6);
                }
            } catch (Refused e) {
                if (Thread.holdsLock(lock)) sum += 1_000_000;
                sum -= e.at;
            }
        }
        return sum;
    }

    static int collected(int n) {
        List<Object> list = new ArrayList<>();
        Object last = null;
        String text = "";
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Object here = new int[] {i};
            try {
                sum += collects(i);
                last = here;
            } catch (Refused e) {
                list.add(here);
                list.add(last);
                text = text.concat(Integer.toString(e.at));
            }
        }
        for (Object o : list) sum += ((int[]) o)[0];
        return sum + text.length();
    }

    static int manyValues(int n) {
        int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
        for (int t = 0; t < n; t++) {
            try {
                a += b; b ^= c; c -= d; d += e & 3; e = f * 3; f ^= g;
                g += h; h = i - j; i += k; j ^= l; k += t; l += a;
                a = refuses(a & 1023, 9);
                b += refuses(b & 255, 13);
            } catch (Refused x) {
                int sum = a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29 + k * 31;
                l = sum ^ x.at;
                a = l & 7;
            }
        }
        return a + b + c + d + e + f + g + h + i + j + k + l;
    }

    /** A handler that leads into the midst of other code, and a loop behind it. */
    static int joined(int n, int[] a) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int from;
            try {
                from = refuses(i, 4) & 7;
            } catch (Refused e) {
                from = 3;
            }
            for (int k = from; k < a.length; k++) sum += a[k] ^ i;
            try {
                sum ^= refuses(sum & 63, 2);
            } catch (Refused e) {
                for (int k = a.length - 1; k >= from; k--) sum -= a[k];
            }
        }
        return sum;
    }

    static int lines(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += deep(1, i);
                sum += refuses(i, 4);
            } catch (Refused e) {
                StackTraceElement[] trace = e.getStackTrace();
                for (int k = 0; k < trace.length && k < 4; k++) sum = sum * 31 + trace[k].getLineNumber();
            }
        }
        return sum;
    }

    static int usedUp(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int kept = sum;
            try {
                sum += i % 2000 == 1999 ? endless(0) : refuses(i, 5);
            } catch (StackOverflowError e) {
                sum = kept + 3;
            } catch (Refused e) {
                sum = kept + 1;
            }
        }
        return sum;
    }

    // ---- many times ------------------------------------------------------------------------------------------------

    public static void main(String[] args) {
        int[] numbers = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
        String[] texts = {"a", "bcd", null, "efghi"};
        for (int round = 0; round < 8; round++) {
            int n = 12_000 + round;
            System.out.println("turns " + turns(n * 2) + " " + counter);
            int sum = 0;
            for (int i = 0; i < n * 2; i++) sum = sum * 3 + again(i);
            System.out.println("again " + sum);
            System.out.println("types " + types(n));
            System.out.println("operands " + operands(n, numbers.clone()));
            System.out.println("nested " + nested(n));
            for (int i = 0; i < n * 2; i++) sum = sum * 5 + returned(i);
            System.out.println("returned " + sum + " " + counter);
            System.out.println("thrownHere " + thrownHere(n));
            System.out.println("implicit " + implicit(n, numbers, texts, new String[2]));
            System.out.println("failsTwice " + failsTwice(n, numbers, texts));
            System.out.println("nullOrNot " + nullOrNot(n, texts));
            System.out.println("inlined " + inlined(n, texts, numbers));
            System.out.println("member " + new OptimisedHandlers().member(n));
            System.out.println("locked " + locked(n, texts));
            System.out.println("collected " + collected(n));
            System.out.println("manyValues " + manyValues(n));
            System.out.println("joined " + joined(n, numbers));
            System.out.println("lines " + lines(n));
            System.out.println("usedUp " + usedUp(6_000));
        }
    }
}
