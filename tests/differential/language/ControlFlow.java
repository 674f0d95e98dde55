// Loops, labelled breaks, conditionals, nested and fall-through switches, and the conditional operators.
public class ControlFlow {
    static int calls;
    static boolean yes(boolean b) { calls++; return b; }

    static String fall(int n) {
        StringBuilder b = new StringBuilder();
        switch (n) {
            case 1: b.append("one ");
            case 2: b.append("two ");
            case 3: b.append("three "); break;
            default: b.append("default ");
            case -5: b.append("minus five ");
        }
        return b.toString();
    }

    static int collatz(long n) {
        int steps = 0;
        while (n != 1) {
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        return steps;
    }

    public static void main(String[] args) {
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; ; j++) {
                if (j > i) continue outer;
                if (i * j == 6) break outer;
                System.out.print(i + "*" + j + "=" + i * j + " ");
            }
        }
        System.out.println();
        int n = 3;
        do System.out.print(n + " "); while (n-- > 0);
        System.out.println(n);
        for (int i = -6; i < 5; i++) System.out.println(i + ": " + fall(i));
        System.out.println(collatz(27) + " " + collatz(97) + " " + collatz(871));
        System.out.println((yes(true) || yes(false)) + " " + calls);
        System.out.println((yes(false) && yes(true)) + " " + calls);
        System.out.println((yes(true) | yes(false)) + " " + calls);
        System.out.println((yes(true) ^ yes(true)) + " " + calls);
        block: {
            if (calls == 6) break block;
            System.out.println("not left");
        }
        int a = 1, b = 2;
        int c = a++ + ++a * b-- - --b;
        System.out.println(a + " " + b + " " + c);
        int[] array = {5, 6, 7};
        int i = 0;
        array[i] = i = 2;
        array[i] += array[--i] * 10;
        System.out.println(array[0] + " " + array[1] + " " + array[2] + " " + i);
        int sum = 0;
        for (int v : array) sum += v;
        for (String s : new String[] {"x", "yy"}) sum += s.length();
        System.out.println(sum);
        final int big = 1_000_000;
        System.out.println(big + 0b1010 + 0x1F + 017);
        byte x = (byte) 200; x += 100; x >>>= 1; System.out.println(x);
        char ch = 'a'; ch += 1; ch++; System.out.println(ch);
        short s = Short.MAX_VALUE; s++; System.out.println(s);
        System.out.println(true ? 1 : 2.0);
        System.out.println((Object) (true ? 1 : 'a'));
        System.out.println((Object) (args.length > 5 ? 1 : Character.valueOf('z')));
    }
}
