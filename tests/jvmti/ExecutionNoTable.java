// Compiled without a LocalVariableTable.
public class ExecutionNoTable {
    String locals(String a, int b, long c, float d, double e) {
        int later = b;
        later++;
        return a + b + c + d + e + later;
    }

    /* Where an agent looks at the caller's slots. */
    static void place(int which) { }

    // Slots: 0 n, 1 assign, 2-3 sum; 4 and above hold a value in some places only.
    static String scopes(int n, boolean assign) {
        long sum = n;
        place(0);                                   // 4 and above: nothing yet
        if (assign) {
            String o = "o";                         // 4
            double d = 1;                           // 5-6
            place(1);
            sum += o.length() + (long) d;
        }
        place(2);                                   // nothing again: not all paths store it
        for (int i = 0; i < 1; i++) {               // 4
            long inner = i;                         // 5-6
            place(3);
            sum += inner;
        }
        place(4);                                   // the loop's variables are gone
        try {
            int[] a = {1};                          // 4
            place(5);
            sum += a[1];
        } catch (IndexOutOfBoundsException e) {     // 4
            place(6);
        }
        return "" + sum;
    }
}
