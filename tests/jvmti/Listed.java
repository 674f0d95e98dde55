/** Methods of different kinds that are called often enough to be compiled, and a loop; with an argument prints only
 *  that. */
public class Listed {
    static int plain(int x) { return x * 3; }
    static synchronized int locked(int x) { return x + 1; }
    static int catching(int x) {
        try {
            return Integer.parseInt("1") + x;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
    static int looping(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i & 3;
        return sum;
    }
    synchronized int member(int x) { return x - 1; }

    public static void main(String[] args) throws Exception {
        if (args.length != 0 && !args[0].equals("waits")) {
            System.out.println(args[0]);
            return;
        }
        int sum = 0;
        Listed listed = new Listed();
        for (int i = 0; i < 1900; i++)
            sum += plain(i) - locked(i) + catching(i) - listed.member(i) + looping(10) - 1;
        sum += looping(3000);
        System.out.println(sum);
        if (args.length != 0) System.in.read();
    }
}
