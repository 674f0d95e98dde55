// Packages of the boot loader: those it has read classes of, and not those of the modules that proxies live in.
import java.lang.reflect.Proxy;
import java.util.*;

public class BootPackages {
    static void show(Class<?> c) {
        System.out.println(c.getName() + " in " + c.getModule() + " of " + c.getClassLoader() + ": " + c.getPackage()
                           + " " + Package.getPackage(c.getPackageName()));
    }

    public static void main(String[] args) throws Exception {
        show(Object.class);
        show(Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class}, (p, m, a) -> null).getClass());
        Class<?> internal = Class.forName("jdk.internal.access.JavaLangAccess");
        show(Proxy.newProxyInstance(null, new Class<?>[] {internal}, (p, m, a) -> null).getClass());
        show(Class.forName("jdk.internal.misc.VM"));
        List<String> all = Arrays.stream(Package.getPackages()).map(Package::getName).sorted().toList();
        for (String name : List.of("java.lang", "java.util", "jdk.internal.access", "jdk.proxy1",
                                   "com.sun.proxy.jdk.proxy1", "javax.sql"))
            System.out.println(name + " " + all.contains(name) + " " + Package.getPackage(name));
        System.out.println(Object.class.getPackage().getAnnotations().length + " "
                           + ClassLoader.getPlatformClassLoader().getDefinedPackage("java.lang"));
        System.out.println(Thread.class.getClassLoader() + " "
                           + Arrays.stream(ModuleLayer.boot().modules().toArray(Module[]::new))
                                 .filter(m -> m.getClassLoader() == null)
                                 .anyMatch(m -> m.getPackages().contains("jdk.proxy1")));
    }
}
