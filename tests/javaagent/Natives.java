public class Natives {
    static native int value(int n);
}
