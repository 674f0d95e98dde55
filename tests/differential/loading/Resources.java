// Resources from the class path, jars, modules and custom loaders.
import java.io.*;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;

public class Resources {
    static String read(InputStream in) throws IOException {
        if (in == null) return "none";
        try (in) {
            return new String(in.readAllBytes());
        }
    }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory(Path.of(""), "res");
        try {
            Files.createDirectories(dir.resolve("p/q"));
            Files.writeString(dir.resolve("top.txt"), "top");
            Files.writeString(dir.resolve("p/q/inner file.txt"), "inner");
            Path jar = dir.resolve("a.jar");
            Manifest m = new Manifest();
            m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            m.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "Title");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), m)) {
                out.putNextEntry(new JarEntry("top.txt"));
                out.write("from jar".getBytes());
                out.closeEntry();
                out.putNextEntry(new JarEntry("p/"));
                out.closeEntry();
                out.putNextEntry(new JarEntry("p/InJar.class"));
                out.write(new ClassAssembler(52, "p/InJar").constructor("java/lang/Object").toBytes());
                out.closeEntry();
            }
            try (URLClassLoader l = new URLClassLoader("urls",
                                                       new URL[] {dir.toUri().toURL(), jar.toUri().toURL(),
                                                                  new URL("file:/does/not/exist.jar")},
                                                       Resources.class.getClassLoader())) {
                System.out.println(read(l.getResourceAsStream("top.txt")) + " "
                                   + read(l.getResourceAsStream("p/q/inner file.txt")) + " "
                                   + read(l.getResourceAsStream("missing")));
                List<String> found = new ArrayList<>();
                for (URL u : Collections.list(l.getResources("top.txt")))
                    found.add(u.getProtocol() + ":" + read(u.openStream()));
                System.out.println(found + " " + l.resources("none").count() + " "
                                   + l.findResource("p/InJar.class").toString().replaceAll(".*/a.jar", "a.jar"));
                Class<?> c = l.loadClass("p.InJar");
                System.out.println(c.getPackage().getImplementationTitle() + " " + c.getPackage().getName() + " "
                                   + c.getConstructor().newInstance().getClass().getName() + " "
                                   + (c.getResource("InJar.class") != null) + (c.getResource("/p/InJar.class") != null)
                                   + c.getResource("/InJar.class") + " "
                                   + c.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("a.jar"));
                try {
                    l.loadClass("p.Missing");
                } catch (ClassNotFoundException e) {
                    System.out.println(e);
                }
                try (JarFile jf = new JarFile(jar.toFile())) {
                    System.out.println(jf.getManifest().getMainAttributes().getValue("Implementation-Title") + " "
                        + jf.stream().map(entry -> entry.getName()).sorted().toList());
                }
            }
            System.out.println(Resources.class.getResource("Resources.class").getProtocol() + " "
                               + (Resources.class.getResourceAsStream("/Resources.class").read() == 0xCA) + " "
                               + Resources.class.getResource("nothing"));
            System.out.println(Object.class.getResource("Object.class") + " "
                               + String.class.getResourceAsStream("String.class").readNBytes(4).length + " "
                               + ClassLoader.getSystemResource("java/lang/Object.class") + " "
                               + Object.class.getResource("/java/lang/nothing.txt"));
            System.out.println(Object.class.getModule().getResourceAsStream("java/util/List.class").readNBytes(2)[1]
                               + " "
                               + java.util.logging.Logger.class.getModule().getResourceAsStream(
                                   "sun/util/logging/resources/logging.properties"));
            FileSystem jrt = FileSystems.getFileSystem(java.net.URI.create("jrt:/"));
            System.out.println(Files.exists(jrt.getPath("/modules/java.base/java/lang/Object.class")) + " "
                               + Files.size(jrt.getPath("/modules/java.base/module-info.class")) / 100000 + " "
                               + Files.isDirectory(jrt.getPath("/packages/java.util"))
                               + Files.list(jrt.getPath("/modules")).anyMatch(p -> p.endsWith("java.base")));
            System.out.println(ResourceBundle.getBundle("sun.launcher.resources.launcher").getClass() == null);
        } catch (MissingResourceException e) {
            System.out.println("bundle is not open to us");
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
