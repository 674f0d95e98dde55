import java.util.Random;

// Numbers of 16 bits: every one as a float and back; floats of every size, at the limits and halfway between two of
// them. Which NaN comes out is the machine's.
public class HalfFloats {
    static long sum;
    static void add(float f) { sum = sum * 31 + (Float.isNaN(f) ? 1 : Float.floatToRawIntBits(f)); }
    static void add(short half) {
        boolean isNaN = (half & 0x7c00) == 0x7c00 && (half & 0x3ff) != 0;
        sum = sum * 31 + (isNaN ? half & 0x8000 | 0x7e00 : half);
    }
    static void say(String what) {
        System.out.println(what + " " + Long.toHexString(sum));
        sum = 0;
    }

    public static void main(String[] args) {
        int changed = 0;
        for (int half = Short.MIN_VALUE; half <= Short.MAX_VALUE; half++) {
            float f = Float.float16ToFloat((short) half);
            add(f);
            if (!Float.isNaN(f) && Float.floatToFloat16(f) != half) changed++;
        }
        say("every one, changed on the way back: " + changed + ",");
        for (int half = 0; half < 0x7c00; half++) {
            float here = Float.float16ToFloat((short) half), next = Float.float16ToFloat((short) (half + 1)),
                  middle = (here + next) / 2;
            for (float f : new float[] {here, middle, Math.nextUp(middle), Math.nextDown(middle)}) {
                add(Float.floatToFloat16(f));
                add(Float.floatToFloat16(-f));
            }
        }
        say("halfway");
        Random random = new Random(3);
        for (int i = 0; i < 50_000; i++) {
            add(Float.floatToFloat16(Float.intBitsToFloat(random.nextInt())));
            add(Float.floatToFloat16((float) (random.nextGaussian() * Math.scalb(1.0, random.nextInt(48) - 28))));
        }
        say("floats");
        for (float f : new float[] {0f, -0f, Float.MIN_VALUE, -Float.MIN_NORMAL, Float.MAX_VALUE, Float.NaN, 65504f,
                                    65519.996f, 65520f, 0x1p-25f, Math.nextUp(0x1p-25f), 0x1p-24f, 0x1p-14f,
                                    Math.nextDown(0x1p-14f), Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            short half = Float.floatToFloat16(f);
            System.out.println(f + " " + Integer.toHexString(Float.isNaN(f) ? 0x7e00 : half & 0xffff) + " "
                               + Float.float16ToFloat(half));
        }
    }
}
