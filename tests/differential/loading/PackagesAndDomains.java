// Packages, protection domains, code sources, sealed packages and the packages a loader knows.
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.jar.*;

public class PackagesAndDomains {
    static class Own extends ClassLoader {
        Class<?> define(ClassAssembler a, ProtectionDomain d) {
            byte[] b = a.toBytes();
            return defineClass(a.name(), b, 0, b.length, d);
        }
        Package pkg(String n) { return definePackage(n, "spec", "1.0", "sv", "impl", "2.0", "iv", null); }
        Package[] all() { return getPackages(); }
    }

    public static void main(String[] args) throws Exception {
        Own l = new Own();
        ProtectionDomain pd =
            new ProtectionDomain(new CodeSource(new URL("file:/made/up"), (java.security.cert.Certificate[]) null),
                                 new Permissions());
        Package defined = l.pkg("p.defined");
        Class<?> a = l.define(new ClassAssembler(52, "p/defined/A"), pd),
                 b = l.define(new ClassAssembler(52, "p/other/B"), null);
        System.out.println(a.getPackage() + " " + (a.getPackage() == defined) + " " + b.getPackage() + " "
                           + b.getPackage().getSpecificationTitle() + " " + a.getPackage().isCompatibleWith("0.9") + " "
                           + a.getPackage().isSealed());
        System.out.println(a.getProtectionDomain().getCodeSource().getLocation() + " " + (a.getProtectionDomain() == pd)
                           + " " + b.getProtectionDomain().getCodeSource() + " "
                           + String.class.getProtectionDomain().getCodeSource());
        try {
            l.pkg("p.defined");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Arrays.stream(l.getDefinedPackages()).map(Package::getName).sorted().toList() + " "
            + (l.getDefinedPackage("p.other") != null) + " " + l.getDefinedPackage("java.lang") + " "
            + Arrays.stream(l.all()).anyMatch(p -> p.getName().equals("java.util")));
        System.out.println(Package.getPackage("java.lang") + " " + Object.class.getPackage().getName() + " "
                           + int[].class.getPackage() + " " + int.class.getPackage() + " [" + int.class.getPackageName()
                           + "] " + String[].class.getPackageName());
        System.out.println(Arrays.toString(a.getSigners()) + " " + a.getPackage().getAnnotations().length + " "
                           + a.getPackage().hashCode());
        Path dir = Files.createTempDirectory(Path.of(""), "seal");
        try {
            Path jar = dir.resolve("s.jar");
            Manifest m = new Manifest();
            m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            m.getMainAttributes().put(Attributes.Name.SEALED, "true");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), m)) {
                out.putNextEntry(new JarEntry("q/InJar.class"));
                out.write(new ClassAssembler(52, "q/InJar").toBytes());
            }
            Files.createDirectories(dir.resolve("q"));
            Files.write(dir.resolve("q/Loose.class"), new ClassAssembler(52, "q/Loose").toBytes());
            try (URLClassLoader u = new URLClassLoader(new URL[] {jar.toUri().toURL(), dir.toUri().toURL()})) {
                System.out.println(u.loadClass("q.InJar").getPackage().isSealed());
                u.loadClass("q.Loose");
            } catch (SecurityException e) {
                System.out.println(e.getMessage());
            }
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
