// A provider of the program's own with a digest and a random source, inserted, preferred, removed; access control's
// remains.
import java.security.*;

public class OwnProvider {
    public static class Sum extends MessageDigestSpi {
        int sum;
        @Override
        protected void engineUpdate(byte b) {
            sum += b;
        }
        @Override
        protected void engineUpdate(byte[] b, int o, int l) {
            for (int i = 0; i < l; i++) sum += b[o + i];
        }
        @Override
        protected byte[] engineDigest() {
            byte[] r = {(byte) sum};
            sum = 0;
            return r;
        }
        @Override
        protected void engineReset() {
            sum = 0;
        }
    }
    public static class Fixed extends SecureRandomSpi {
        @Override
        protected void engineSetSeed(byte[] s) {}
        @Override
        protected void engineNextBytes(byte[] b) {
            java.util.Arrays.fill(b, (byte) 7);
        }
        @Override
        protected byte[] engineGenerateSeed(int n) {
            return new byte[n];
        }
    }
    static class Own extends Provider {
        Own() {
            super("Own", "1.5", "info of own");
            put("MessageDigest.SUM", "OwnProvider$Sum");
            put("Alg.Alias.MessageDigest.ADD", "SUM");
            put("SecureRandom.FIXED", "OwnProvider$Fixed");
            putService(new Service(this, "MessageDigest", "MISSING", "no.such.Class", null, null));
        }
    }

    public static void main(String[] args) throws Exception {
        int before = Security.getProviders().length;
        System.out.println(Security.addProvider(new Own()) == before + 1);
        System.out.println(Security.addProvider(new Own()));
        MessageDigest m = MessageDigest.getInstance("ADD");
        m.update(new byte[] {1, 2, 3});
        System.out.println(m.digest()[0] + " " + m.getProvider() + " " + m.getProvider().getInfo() + " "
                           + m.getAlgorithm() + " " + m);
        System.out.println(SecureRandom.getInstance("FIXED").nextInt());
        try {
            MessageDigest.getInstance("MISSING");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
        try {
            MessageDigest.getInstance("SUM", "SUN");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        Security.removeProvider("Own");
        try {
            MessageDigest.getInstance("SUM");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Security.getProvider("Own") + " " + Security.insertProviderAt(new Own(), 1) + " "
                           + Security.getProviders()[0]);
        System.out.println(AccessController.doPrivileged((PrivilegedAction<String>) () -> "privileged"));
        try {
            AccessController.doPrivileged(
                (PrivilegedExceptionAction<String>) () -> { throw new java.io.IOException("checked"); });
        } catch (PrivilegedActionException e) {
            System.out.println(e.getCause());
        }
        try {
            AccessController.doPrivileged(
                (PrivilegedAction<String>) () -> { throw new IllegalStateException("unchecked"); });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(AccessController.getContext() != null);
        try {
            AccessController.checkPermission(new RuntimePermission("x"));
        } catch (AccessControlException e) {
            System.out.println(e.getMessage());
        }
    }
}
