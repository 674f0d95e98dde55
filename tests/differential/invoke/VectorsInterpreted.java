// The incubating vector API, which a VM may run without intrinsics: lanes, masks, shuffles, reductions.
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;

public class VectorsInterpreted {
    public static void main(String[] args) {
        int[] a = {1, -2, 3, -4}, b = {10, 20, 30, 40}, out = new int[4];
        IntVector x = IntVector.fromArray(IntVector.SPECIES_128, a, 0),
                  y = IntVector.fromArray(IntVector.SPECIES_128, b, 0);
        x.mul(y).add(1).intoArray(out, 0);
        System.out.println(java.util.Arrays.toString(out));
        VectorMask<Integer> negative = x.compare(VectorOperators.LT, 0);
        System.out.println(negative + " " + negative.trueCount() + " " + x.blend(y, negative));
        System.out.println(x.reduceLanes(VectorOperators.ADD) + " " + y.reduceLanes(VectorOperators.MAX) + " "
                           + x.abs());
        System.out.println(y.rearrange(VectorShuffle.fromValues(IntVector.SPECIES_128, 3, 2, 1, 0)));
        DoubleVector d = DoubleVector.broadcast(DoubleVector.SPECIES_256, 2).lanewise(VectorOperators.SQRT);
        System.out.println(d.lane(3) + " " + d.fma(d, d).reduceLanes(VectorOperators.ADD));
        ByteVector bytes = ByteVector.broadcast(ByteVector.SPECIES_64, (byte) 0x7f).add((byte) 1);
        System.out.println(bytes + " " + bytes.lanewise(VectorOperators.NOT));
        System.out.println(x.convertShape(VectorOperators.I2D, DoubleVector.SPECIES_256, 0));
    }
}
