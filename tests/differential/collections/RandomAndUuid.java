// Seeded random generators, UUIDs from bytes, Base64, CRC and Adler checksums, hex formatting.
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.random.*;
import java.util.zip.*;

public class RandomAndUuid {
    public static void main(String[] args) {
        Random r = new Random(12345);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " "
                           + r.nextFloat() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextInt(5, 10)
                           + " " + r.ints(3, 0, 10).boxed().toList() + r.doubles(2).boxed().toList()
                           + r.nextExponential());
        SplittableRandom s = new SplittableRandom(99);
        System.out.println(s.nextInt() + " " + s.split().nextLong() + " " + s.nextDouble(1, 2) + " "
                           + s.longs(2).boxed().toList());
        for (String n : List.of("L64X128MixRandom", "Xoshiro256PlusPlus", "L128X256MixRandom", "Xoroshiro128PlusPlus",
                                "L32X64MixRandom")) {
            RandomGenerator g = RandomGeneratorFactory.of(n).create(7);
            System.out.println(n + " " + g.nextInt() + " " + g.nextLong(1000) + " " + g.nextGaussian());
        }
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            r.nextInt(5, 5);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            RandomGenerator.of("NoSuch");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        UUID u = UUID.nameUUIDFromBytes("name".getBytes()), v = new UUID(0x123456789abcdef0L, 0x8edcba9876543210L);
        System.out.println(u + " " + v + " " + u.version() + u.variant() + " " + UUID.fromString(v.toString()).equals(v)
                           + v.hashCode() + " " + u.compareTo(v) + " " + UUID.randomUUID().version());
        try {
            UUID.fromString("xyz");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            v.timestamp();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        byte[] data = new byte[200];
        new Random(3).nextBytes(data);
        for (Base64.Encoder e : List.of(Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getMimeEncoder(),
                                        Base64.getEncoder().withoutPadding()))
            for (int n : new int[] {0, 1, 2, 3, 61, 200}) {
                String t = e.encodeToString(Arrays.copyOf(data, n));
                System.out.print(t.hashCode() + "/" + t.length() + " ");
            }
        System.out.println();
        System.out.println(Arrays.equals(Base64.getDecoder().decode(Base64.getEncoder().encode(data)), data) + " "
            + Arrays.equals(Base64.getMimeDecoder().decode(Base64.getMimeEncoder().encode(data)), data)
            + new String(Base64.getDecoder().decode("aGk=")));
        for (String bad : List.of("a", "ab$=", "ab=c", "abc=d")) try {
                Base64.getDecoder().decode(bad);
                System.out.println("ok");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        for (Checksum c : List.of(new CRC32(), new Adler32(), new CRC32C())) {
            c.update(data, 0, 200);
            long whole = c.getValue();
            c.reset();
            for (byte b : data) c.update(b);
            long bytes = c.getValue();
            c.reset();
            c.update(java.nio.ByteBuffer.allocateDirect(200).put(data).flip());
            System.out.println(Long.toHexString(whole) + " " + (whole == bytes) + (whole == c.getValue()));
            c.reset();
            c.update(data, 3, 50);
            System.out.println(Long.toHexString(c.getValue()));
        }
        System.out.println(HexFormat.of().withUpperCase().formatHex(data, 0, 8) + " "
                           + HexFormat.ofDelimiter(":").formatHex(new byte[] {1, -1})
                           + HexFormat.of().parseHex("00ff").length + HexFormat.fromHexDigits("beef"));
        try {
            HexFormat.of().parseHex("0");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new String(Base64.getEncoder().encode("grüße".getBytes(StandardCharsets.UTF_8)),
                                      StandardCharsets.ISO_8859_1));
    }
}
