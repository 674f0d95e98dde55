// A security manager of 17: permissions by protection domain, doPrivileged, combined contexts, refused actions.
import java.io.FilePermission;
import java.security.*;
import java.util.PropertyPermission;

public class AccessControl {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception | ExceptionInInitializerError e) {
            System.out.println(e);
        }
    }
    static void check(String what, Permission p) {
        t(() -> {
            AccessController.checkPermission(p);
            return what + " allowed";
        });
    }

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        Policy.setPolicy(new Policy() {
            @Override
            public boolean implies(ProtectionDomain d, Permission p) {
                return p instanceof PropertyPermission || p.getName().startsWith("setSecurityManager")
                    || p.getName().startsWith("ok") || p.getName().startsWith("accessDeclared")
                    || p.getName().startsWith("createAccessControlContext") || p.getName().startsWith("setPolicy");
            }
        });
        System.setSecurityManager(new SecurityManager());
        check("named ok", new RuntimePermission("ok.one"));
        check("other", new RuntimePermission("other"));
        check("file", new FilePermission("/etc/passwd", "read"));
        t(() -> new java.io.FileInputStream("/etc/passwd"));
        t(() -> new java.io.File("/etc").list());
        t(() -> Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe").trySetAccessible());
        t(() -> new ProcessBuilder("/bin/true").start());
        t(() -> System.getProperty("java.version").isEmpty());
        AccessControlContext none =
            new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, new Permissions())});
        t(() -> AccessController.doPrivileged((PrivilegedAction<Object>) () -> {
            AccessController.checkPermission(new RuntimePermission("ok.two"));
            return "privileged ok";
        }));
        t(() -> AccessController.doPrivileged((PrivilegedAction<Object>) () -> {
            AccessController.checkPermission(new RuntimePermission("ok.three"));
            return "not reached";
        }, none));
        t(()
                -> AccessController.doPrivileged((PrivilegedAction<Object>) ()
                                                     -> AccessController.doPrivileged((PrivilegedAction<Object>) () -> {
            AccessController.checkPermission(new RuntimePermission("ok.four"));
            return "inner privileged";
        }),
                    none));
        Thread th = new Thread(() -> check("in thread", new RuntimePermission("ok.five")));
        th.start();
        th.join();
        t(() -> AccessController.doPrivileged((PrivilegedExceptionAction<Object>) () -> {
            throw new java.io.IOException("wrapped");
        }));
        System.setSecurityManager(null);
        System.out.println(System.getSecurityManager());
    }
}
