// Message digests, MACs, ciphers, key derivation and secure random: known answers through the provider machinery.
import java.nio.ByteBuffer;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;

public class DigestsAndMacs {
    static String hex(byte[] b) { return HexFormat.of().formatHex(b); }
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] data = "The quick brown fox jumps over the lazy dog".getBytes(), big = new byte[20_000];
        Arrays.fill(big, (byte) 'a');
        for (String n : new String[] {"MD2", "MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256",
                                      "SHA3-256", "SHA3-512"}) {
            MessageDigest d = MessageDigest.getInstance(n);
            String one = hex(d.digest(data));
            for (byte b : data) d.update(b);
            MessageDigest c = (MessageDigest) d.clone();
            d.update(ByteBuffer.allocateDirect(10));
            System.out.println(n + " " + d.getDigestLength() + " " + one + " " + hex(c.digest()).equals(one) + " "
                + hex(d.digest(n.equals("MD2") ? data : big)).substring(0, 16) + " " + d.getProvider().getName());
        }
        for (String n : new String[] {"HmacMD5", "HmacSHA1", "HmacSHA256", "HmacSHA512"}) {
            Mac m = Mac.getInstance(n);
            m.init(new SecretKeySpec("key".getBytes(), n));
            System.out.println(n + " " + hex(m.doFinal(data)).substring(0, 32));
        }
        SecretKey k = new SecretKeySpec(new byte[16], "AES");
        for (String n :
             new String[] {"AES/ECB/PKCS5Padding", "AES/CBC/NoPadding", "AES/CTR/NoPadding", "AES/GCM/NoPadding"}) {
            Cipher c = Cipher.getInstance(n);
            AlgorithmParameterSpec p = n.contains("GCM") ? new GCMParameterSpec(128, new byte[12])
                : n.contains("ECB")                      ? null
                                                         : new IvParameterSpec(new byte[16]);
            c.init(Cipher.ENCRYPT_MODE, k, p);
            byte[] e = c.doFinal(Arrays.copyOf(data, 48));
            Cipher d = Cipher.getInstance(n);
            d.init(Cipher.DECRYPT_MODE, k, p);
            System.out.println(n + " " + hex(e).substring(0, 32) + " " + e.length + " "
                               + Arrays.equals(d.doFinal(e), Arrays.copyOf(data, 48)));
            if (n.contains("GCM")) {
                e[3] ^= 1;
                d.init(Cipher.DECRYPT_MODE, k, p);
                t(() -> d.doFinal(e));
            }
        }
        System.out.println(hex(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                                   .generateSecret(new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 20, 256))
                                   .getEncoded()));
        SecureRandom r = new SecureRandom(), prng = SecureRandom.getInstance("SHA1PRNG");
        byte[] a = new byte[16], b = new byte[16];
        r.nextBytes(a);
        r.nextBytes(b);
        prng.setSeed(5);
        System.out.println(!Arrays.equals(a, b) + " " + prng.nextInt() + " " + prng.nextLong() + " "
                           + r.generateSeed(4).length + " "
                           + SecureRandom.getInstance("NativePRNG").getProvider().getName());
        t(() -> MessageDigest.getInstance("NOPE"));
        t(() -> MessageDigest.getInstance("MD5", "NoProvider"));
        t(() -> Cipher.getInstance("AES/XXX/NoPadding"));
        t(() -> {
            Cipher c = Cipher.getInstance("AES/CBC/NoPadding");
            c.init(Cipher.ENCRYPT_MODE, k);
            return c.doFinal(new byte[5]);
        });
        t(() -> Cipher.getInstance("AES").doFinal(new byte[1]));
        t(() -> {
            Cipher c = Cipher.getInstance("AES");
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[5], "AES"));
            return 0;
        });
        t(() -> Mac.getInstance("HmacSHA256").doFinal());
        t(() -> new SecretKeySpec(new byte[0], "AES"));
        System.out.println(Arrays.stream(Security.getProviders()).map(Provider::getName).toList() + " "
            + Security.getProvider("SUN").getService("MessageDigest", "SHA-256").getClassName() + " "
            + Security.getAlgorithms("KeyStore").contains("PKCS12") + " " + MessageDigest.isEqual(a, a.clone())
            + Security.getProperty("keystore.type"));
        digestStreams(data);
    }
    static void digestStreams(byte[] data) throws Exception {
        DigestInputStream in =
            new DigestInputStream(new java.io.ByteArrayInputStream(data), MessageDigest.getInstance("SHA-256"));
        in.readAllBytes();
        System.out.println(hex(in.getMessageDigest().digest()).substring(0, 8));
        CipherInputStream c = new CipherInputStream(new java.io.ByteArrayInputStream(new byte[40]), new NullCipher());
        System.out.println(c.readAllBytes().length);
    }
}
