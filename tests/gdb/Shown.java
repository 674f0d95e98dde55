/** Waits in the VM, two calls below main, with fields of every kind to be looked at. */
public class Shown {
    static String word = "a \"quoted\" word";
    static int[] numbers = {1, 2, 3};
    final int count = 7;
    final Object other = "other";
    final boolean flag = true;
    final double ratio = 0.5;
    final char letter = 'x';
    final String[][] table = {{"one"}, null};

    void stop() {
        System.gc();
    }

    void call() {
        stop();
    }

    public static void main(String[] args) {
        new Shown().call();
    }
}
