// Signatures with fixed keys: RSA made from its numbers, Ed25519 against a known answer, EC parameters, key stores.
import java.math.BigInteger;
import java.security.*;
import java.security.interfaces.*;
import java.security.spec.*;
import java.util.*;

public class Signatures {
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
        BigInteger p = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE),
                   q = BigInteger.ONE.shiftLeft(107).subtract(BigInteger.ONE), n = p.multiply(q),
                   e = BigInteger.valueOf(65537), phi = p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE)),
                   d = e.modInverse(phi);
        KeyFactory kf = KeyFactory.getInstance("RSA");
        PrivateKey priv = kf.generatePrivate(new RSAPrivateKeySpec(n, d));
        PublicKey pub = kf.generatePublic(new RSAPublicKeySpec(n, e));
        byte[] msg = "signed text".getBytes();
        for (String a : new String[] {"SHA256withRSA", "MD5withRSA"}) {
            Signature s = Signature.getInstance(a);
            s.initSign(priv);
            s.update(msg);
            byte[] sig = s.sign();
            Signature v = Signature.getInstance(a);
            v.initVerify(pub);
            v.update(msg);
            boolean good = v.verify(sig);
            v.update((byte) 1);
            System.out.println(a + " " + Arrays.hashCode(sig) + " " + sig.length + " " + good + v.verify(sig) + " "
                               + s);
        }
        System.out.println(((RSAPublicKey) pub).getModulus().bitLength() + " " + pub.getFormat() + " "
                           + Arrays.hashCode(pub.getEncoded()) + " "
                           + kf.generatePublic(new X509EncodedKeySpec(pub.getEncoded())).equals(pub) + " "
                           + pub.getAlgorithm());
        t(() -> {
            Signature v = Signature.getInstance("SHA256withRSA");
            v.initVerify(pub);
            v.update(msg);
            return v.verify(new byte[3]);
        });
        t(() -> {
            Signature v = Signature.getInstance("SHA256withRSA");
            v.update(msg);
            return 0;
        });
        t(() -> kf.generatePublic(new X509EncodedKeySpec(new byte[] {1, 2})));
        t(() -> KeyFactory.getInstance("NOPE"));
        KeyFactory ek = KeyFactory.getInstance("Ed25519");
        PrivateKey ep = ek.generatePrivate(
            new EdECPrivateKeySpec(NamedParameterSpec.ED25519,
                                   HexFormat.of().parseHex(
                                       "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")));
        Signature es = Signature.getInstance("Ed25519");
        es.initSign(ep);
        System.out.println(HexFormat.of().formatHex(es.sign()));
        AlgorithmParameters ap = AlgorithmParameters.getInstance("EC");
        ap.init(new ECGenParameterSpec("secp256r1"));
        ECParameterSpec ec = ap.getParameterSpec(ECParameterSpec.class);
        PrivateKey ecp =
            KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(BigInteger.valueOf(12345), ec));
        System.out.println(((ECPrivateKey) ecp).getS() + " " + ec.getOrder().bitLength() + " " + ec.getCofactor());
        for (String it : new String[] {"keyPbe", "certPbe", "mac"})
            Security.setProperty("keystore.pkcs12." + it + "IterationCount", "2");
        KeyStore ks = KeyStore.getInstance("PKCS12");
        ks.load(null, null);
        ks.setEntry("secret", new KeyStore.SecretKeyEntry(new javax.crypto.spec.SecretKeySpec(new byte[16], "AES")),
            new KeyStore.PasswordProtection("pw".toCharArray()));
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        ks.store(out, "store".toCharArray());
        KeyStore back = KeyStore.getInstance("PKCS12");
        back.load(new java.io.ByteArrayInputStream(out.toByteArray()), "store".toCharArray());
        System.out.println(back.size() + " " + back.containsAlias("secret") + " "
                           + back.getKey("secret", "pw".toCharArray()).getAlgorithm() + " "
                           + Collections.list(back.aliases()));
        t(() -> {
            KeyStore w = KeyStore.getInstance("PKCS12");
            w.load(new java.io.ByteArrayInputStream(out.toByteArray()), "wrong".toCharArray());
            return 0;
        });
    }
}
