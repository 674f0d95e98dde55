// Methods that tests/command/method_data.py looks at: each step prints its name and waits for a line.
public class MethodData {
    int value = 3;

    static native void watch(boolean on);
    static native void stop(int at, boolean on);

    int read(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += value;
        return sum;
    }

    static int called(int x) { return x + 1; }

    static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i;
        return sum;
    }

    static int loopsAtEnd(int n) {
        int i = 0;
        do i++; while (i < n);
        return i;
    }

    static void step(String name) throws java.io.IOException {
        System.out.println(name);
        if (System.in.read() < 0) System.exit(1);
    }

    public static void main(String[] args) throws Exception {
        MethodData d = new MethodData();
        step("unused");
        d.read(3);
        step("quick");
        watch(true);
        step("watched");
        d.read(2);
        step("watched, run");
        watch(false);
        step("watched no more");
        d.read(2);
        step("quick again");
        stop(11, true);
        step("breakpoint");
        d.read(2);
        step("breakpoint, run");
        stop(11, false);
        d.read(2);
        step("no breakpoint");
        stop(10, true);
        step("breakpoint at a pair");
        d.read(2);
        stop(10, false);
        for (int i = 0; i < 7; i++) called(i);
        loops(39);
        loopsAtEnd(39);
        step("counted");
        for (int i = 0; i < 194; i++) called(i);
        loops(2000);
        step("a budget");
        for (int i = 0; i < 6000; i++) called(i);
        loops(60000);
        loopsAtEnd(60000);
        step("none left");
        System.out.println(called(1) + loops(10) + loopsAtEnd(10));
    }
}
