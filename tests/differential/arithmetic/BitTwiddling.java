// Bit operations of Integer and Long, unsigned arithmetic, CRC and hash mixers.
public class BitTwiddling {
    static int crc32(byte[] data) {
        int crc = -1;
        for (byte b : data) {
            crc ^= b & 0xff;
            for (int k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xEDB88320 & -(crc & 1));
        }
        return ~crc;
    }

    static long splitMix(long z) {
        z += 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    public static void main(String[] args) {
        int[] is = {0, 1, -1, 8, 0x80000000, 0x7fffffff, 0x00ff00ff, 0x12345678, -8};
        for (int i : is)
            System.out.println(i + " " + Integer.bitCount(i) + " " + Integer.numberOfLeadingZeros(i) + " "
                               + Integer.numberOfTrailingZeros(i) + " " + Integer.highestOneBit(i) + " "
                               + Integer.lowestOneBit(i) + " " + Integer.reverse(i) + " " + Integer.reverseBytes(i)
                               + " " + Integer.rotateLeft(i, 7) + " " + Integer.rotateRight(i, 9) + " "
                               + Integer.signum(i) + " " + Integer.toUnsignedString(i) + " " + Integer.toBinaryString(i)
                               + " " + Integer.toOctalString(i) + " " + Integer.divideUnsigned(i, 7) + " "
                               + Integer.remainderUnsigned(i, 10) + " " + Integer.compareUnsigned(i, 5) + " "
                               + Integer.parseUnsignedInt(Integer.toUnsignedString(i)));
        long[] ls = {0, 1, -1, 8, 1L << 63, Long.MAX_VALUE, 0x00ff00ff00ff00ffL, 0x123456789abcdef0L, -8};
        for (long l : ls)
            System.out.println(l + " " + Long.bitCount(l) + " " + Long.numberOfLeadingZeros(l) + " "
                               + Long.numberOfTrailingZeros(l) + " " + Long.highestOneBit(l) + " "
                               + Long.lowestOneBit(l) + " " + Long.reverse(l) + " " + Long.reverseBytes(l) + " "
                               + Long.rotateLeft(l, 17) + " " + Long.rotateRight(l, 19) + " " + Long.signum(l) + " "
                               + Long.toUnsignedString(l) + " " + Long.toHexString(l) + " " + Long.divideUnsigned(l, 7)
                               + " " + Long.remainderUnsigned(l, 10) + " " + Long.compareUnsigned(l, 5) + " "
                               + Long.parseUnsignedLong(Long.toUnsignedString(l)) + " " + Long.toString(l, 36));
        System.out.println(Short.reverseBytes((short) 0x1234) + " " + (int) Character.reverseBytes('\u1234') + " "
                           + Byte.toUnsignedInt((byte) -3) + " " + Short.toUnsignedLong((short) -3));
        System.out.println(Integer.toHexString(crc32("The quick brown fox".getBytes())));
        long z = 42;
        for (int i = 0; i < 5; i++) System.out.println(Long.toHexString(z = splitMix(z)));
        System.out.println(Math.multiplyHigh(0x123456789abcdef0L, -5L) + " " + Math.floorDiv(-7, 2) + " "
                           + Math.floorMod(-7, 2) + " " + Math.floorMod(-7L, 3));
        System.out.println(Integer.parseInt("-7f", 16) + " " + Long.parseLong("zz", 36) + " " + Integer.decode("-0x10")
                           + " " + Integer.valueOf("0012"));
        System.out.println(Integer.MIN_VALUE == -Integer.MIN_VALUE);
        for (int shift = -33; shift <= 65; shift += 7)
            System.out.print((1 << shift) + "," + (-1 >>> shift) + "," + (1L << shift) + "," + (-1L >>> shift) + " ");
        System.out.println();
    }
}
