// String concatenation of every type, in the invokedynamic form of javac, with side effects in order.
public class StringConcatenation {
    static int n;
    static int next() { return ++n; }

    static class Shy {
        public String toString() { return null; }
    }
    static class Loud {
        public String toString() { throw new IllegalStateException("loud"); }
    }

    public static void main(String[] args) {
        boolean z = true;
        byte b = -1;
        char c = 'ü';
        short s = 300;
        int i = 1 << 30;
        long l = 1L << 60;
        float f = 1.5f;
        double d = -0.0;
        String t = "日本";
        Object o = null;
        char[] none = {'n'};
        System.out.println("" + z + b + c + s + i + l + f + d + t + o);
        System.out.println(z + "," + b + "," + c + "," + s + "," + i + "," + l + "," + f + "," + d + "," + t + "," + o);
        System.out.println(1 + 2 + "x" + 1 + 2);
        System.out.println('a' + 'b' + "c" + 'd' + 1);
        System.out.println(next() + "-" + next() * 10 + "-" + next());
        String acc = "start";
        acc += 1;
        acc += 'c';
        acc += 2.5;
        acc += null;
        acc += new Shy();
        acc += next();
        System.out.println(acc);
        String[] arr = {"a", "b"};
        int k = 0;
        arr[k++] += k + "z";
        System.out.println(arr[0] + arr[1] + k);
        System.out.println("null " + (String) null + (Object) null);
        System.out.println(new Shy() + "" + new Shy());
        try {
            System.out.println("a" + new Loud() + next());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + n);
        }
        System.out.println(i + l + f + "" + (i + l) + (char) (c + 1));
        String wide = "";
        for (int j = 0; j < 5; j++) wide = j + wide + (char) (0x4e00 + j);
        System.out.println(wide + wide.length());
        String x = "\1\2" + n + "\1";
        System.out.println(x.length() + " " + (int) x.charAt(0));
        System.out.println(("p" + n).equals("p" + n) + " " + ("p" + n).hashCode());
        String long200 = "" + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + i + l + z + z + z
                         + z + z + z + z + z + z + z + c + c + c + c + c + c + c + c + c + c + t + t + t + t;
        System.out.println(long200);
        StringBuilder sb = new StringBuilder("sb");
        System.out.println("" + sb + sb.append(1) + sb);
        System.out.println("double " + 1e100 + " " + Double.NaN + Float.MAX_VALUE + " " + Long.MIN_VALUE + " "
                           + Integer.MIN_VALUE + (byte) -128);
    }
}
