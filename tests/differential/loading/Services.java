// ServiceLoader: providers from META-INF/services and the JDK, laziness, errors, provider methods, reload.
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.*;
import java.util.*;

public class Services {
    public interface Greeter {
        String greet();
    }
    public static class English implements Greeter {
        public English() { System.out.println("english made"); }
        public String greet() { return "hello"; }
    }
    public static class German implements Greeter {
        public String greet() { return "hallo"; }
    }
    public static class NoConstructor implements Greeter {
        public NoConstructor(int x) {}
        public String greet() { return "no"; }
    }
    public static class Throwing implements Greeter {
        public Throwing() { throw new IllegalStateException("provider failed"); }
        public String greet() { return "no"; }
    }
    public static class NotOne {}

    static void iterate(ServiceLoader<Greeter> l) {
        Iterator<Greeter> it = l.iterator();
        for (int i = 0; i < 10; i++) {
            try {
                if (!it.hasNext()) {
                    System.out.println("end");
                    return;
                }
                System.out.println(it.next().greet());
            } catch (ServiceConfigurationError e) {
                System.out.println(e.getMessage().replaceAll("file:\\S*/", "file:")
                                   + (e.getCause() == null ? "" : " caused by " + e.getCause()));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory(Path.of(""), "svc");
        try {
            Path services = Files.createDirectories(dir.resolve("META-INF/services"));
            Files.writeString(
                services.resolve("Services$Greeter"),
                "# comment\nServices$English # trailing\n\nServices$German\nServices$English\nServices$Missing\n"
                + "Services$NoConstructor\nServices$Throwing\nServices$NotOne\n");
            try (URLClassLoader l =
                     new URLClassLoader(new URL[] {dir.toUri().toURL()}, Services.class.getClassLoader())) {
                ServiceLoader<Greeter> loader = ServiceLoader.load(Greeter.class, l);
                System.out.println("lazy");
                iterate(loader);
                iterate(loader);
                loader.reload();
                System.out.println(
                    loader.stream().limit(2).map(ServiceLoader.Provider::type).map(Class::getName).toList());
                System.out.println(loader.findFirst().get().greet());
                Thread.currentThread().setContextClassLoader(l);
                System.out.println(ServiceLoader.load(Greeter.class).findFirst().isPresent() + " "
                    + ServiceLoader.loadInstalled(Greeter.class).findFirst().isPresent());
                Files.writeString(services.resolve("Services$Greeter"), "bad line here\n");
                iterate(ServiceLoader.load(Greeter.class, l));
            }
            System.out.println(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class)
                                   .stream()
                                   .map(p -> p.type().getSimpleName())
                                   .sorted()
                                   .toList());
            System.out.println(ServiceLoader.load(javax.tools.JavaCompiler.class).findFirst().isPresent() + " "
                + ServiceLoader.load(java.util.spi.ToolProvider.class)
                      .stream()
                      .map(p -> p.get().name())
                      .filter(n -> n.equals("jar") || n.equals("javac"))
                      .sorted()
                      .toList());
            try {
                ServiceLoader.load(ModuleLayer.boot(), Greeter.class).findFirst();
                System.out.println("none");
            } catch (ServiceConfigurationError e) {
                System.out.println(e.getMessage());
            }
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
