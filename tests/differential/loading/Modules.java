// Modules: the boot layer, descriptors, reads, exports, opens, and layers of generated modules with their errors.
import java.lang.module.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.stream.Collectors;

public class Modules {
    interface Action {
        Object run() throws Throwable;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println("target " + strip(e.getCause()));
        } catch (Throwable e) {
            System.out.println(strip(e));
        }
    }
    static String strip(Throwable e) { return e.toString().replaceAll("@(0x)?[0-9a-f]+", "@"); }
    static final int P = ClassAssembler.PUBLIC, S = P | ClassAssembler.STATIC;

    static class Memory implements ModuleFinder {
        final Map<String, ModuleReference> refs = new TreeMap<>();
        Memory add(ModuleDescriptor d, ClassAssembler... classes) {
            Map<String, byte[]> content = new HashMap<>();
            for (ClassAssembler c : classes) content.put(c.name().replace('.', '/') + ".class", c.toBytes());
            refs.put(d.name(), new ModuleReference(d, URI.create("memory:" + d.name())) {
                public ModuleReader open() {
                    return new ModuleReader() {
                        public Optional<URI> find(String n) {
                            return content.containsKey(n) ? Optional.of(URI.create("memory:" + n)) : Optional.empty();
                        }
                        public Optional<ByteBuffer> read(String n) {
                            return Optional.ofNullable(content.get(n)).map(ByteBuffer::wrap);
                        }
                        public Optional<java.io.InputStream> open(String n) {
                            return Optional.ofNullable(content.get(n)).map(java.io.ByteArrayInputStream::new);
                        }
                        public java.util.stream.Stream<String> list() { return content.keySet().stream().sorted(); }
                        public void close() {}
                    };
                }
            });
            return this;
        }
        public Optional<ModuleReference> find(String n) { return Optional.ofNullable(refs.get(n)); }
        public Set<ModuleReference> findAll() { return new HashSet<>(refs.values()); }
    }

    public static void main(String[] args) throws Throwable {
        Module base = Object.class.getModule(), me = Modules.class.getModule();
        System.out.println(base + " " + base.isNamed() + me.isNamed() + " " + me.getName() + " "
                           + base.getDescriptor().isOpen() + base.isExported("java.lang")
                           + base.isExported("jdk.internal.misc") + base.isExported("jdk.internal.misc", me)
                           + base.isOpen("java.lang") + base.isOpen("java.util", me) + me.canRead(base)
                           + base.canRead(me) + " " + me.isOpen("anything", base) + " "
                           + base.getLayer().equals(ModuleLayer.boot()) + me.getLayer());
        System.out.println(ModuleLayer.boot()
                               .modules()
                               .stream()
                               .map(Module::getName)
                               .filter(n -> n.startsWith("java."))
                               .sorted()
                               .collect(Collectors.joining(" ")));
        System.out.println(ModuleLayer.boot().findModule("java.base").get() == base);
        System.out.println(
            base.getPackages().contains("java.util.concurrent.atomic") + " "
            + base.getDescriptor()
                  .exports()
                  .stream()
                  .filter(e -> !e.isQualified())
                  .map(ModuleDescriptor.Exports::source)
                  .sorted()
                  .limit(12)
                  .toList()
            + " "
            + ModuleLayer.boot()
                  .findModule("java.sql")
                  .map(
                      m -> m.getDescriptor().requires().stream().map(ModuleDescriptor.Requires::name).sorted().toList())
                  .orElse(List.of()));
        ModuleDescriptor da = ModuleDescriptor.newModule("mod.a")
                                  .requires("java.base")
                                  .exports("a.api")
                                  .exports("a.limited", Set.of("mod.b"))
                                  .opens("a.open")
                                  .packages(Set.of("a.internal"))
                                  .version("1.2.3")
                                  .build();
        ModuleDescriptor db = ModuleDescriptor.newModule("mod.b")
                                  .requires("mod.a")
                                  .exports("b")
                                  .provides("java.lang.Runnable", List.of("b.Prov"))
                                  .uses("java.lang.Runnable")
                                  .build();
        String call = "()Ljava/lang/Object;";
        ClassAssembler
            api = new ClassAssembler(53, "a/api/Api").method(S, "hello", call, 1, 0, "ldc \"from a\"\n areturn"),
            internal = new ClassAssembler(53, "a/internal/Int")
                           .method(S, "hello", call, 1, 0, "ldc \"internal\"\n areturn")
                           .constructor("java/lang/Object"),
            limited =
                new ClassAssembler(53, "a/limited/Lim").method(S, "hello", call, 1, 0, "ldc \"limited\"\n areturn"),
            open = new ClassAssembler(53, 0, "a/open/Op", "java/lang/Object")
                       .constructor("java/lang/Object")
                       .method(ClassAssembler.PRIVATE | ClassAssembler.STATIC, "hello", call, 1, 0,
                               "ldc \"opened\"\n areturn");
        ClassAssembler user =
            new ClassAssembler(53, "b/User")
                .method(S, "api", call, 1, 0, "invokestatic a/api/Api.hello ()Ljava/lang/Object;\n areturn")
                .method(S, "internal", call, 1, 0, "invokestatic a/internal/Int.hello ()Ljava/lang/Object;\n areturn")
                .method(S, "limited", call, 1, 0, "invokestatic a/limited/Lim.hello ()Ljava/lang/Object;\n areturn")
                .method(S, "sql", call, 1, 0, "ldc class java/sql/Date\n areturn")
                .method(S, "cast", "(Ljava/lang/Object;)Ljava/lang/Object;", 1, 1,
                        "aload_0\n checkcast a/api/Api\n areturn");
        ClassAssembler prov =
            new ClassAssembler(53, P | ClassAssembler.SUPER, "b/Prov", "java/lang/Object", "java/lang/Runnable")
                .constructor("java/lang/Object")
                .method(
                    P, "run", "()V", 2, 1,
                    "getstatic java/lang/System.out Ljava/io/PrintStream;\n ldc \"service run\"\n invokevirtual "
                        + "java/io/PrintStream.println (Ljava/lang/String;)V\n return");
        Memory finder = new Memory().add(da, api, internal, limited, open).add(db, user, prov);
        Configuration cf = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("mod.b"));
        System.out.println(cf.modules().stream().map(ResolvedModule::name).sorted().toList() + " "
            + cf.findModule("mod.b").get().reads().stream().map(ResolvedModule::name).sorted().toList());
        for (boolean many : new boolean[] {false, true}) {
            ModuleLayer layer =
                many ? ModuleLayer.boot().defineModulesWithManyLoaders(cf, ClassLoader.getSystemClassLoader())
                     : ModuleLayer.boot().defineModulesWithOneLoader(cf, ClassLoader.getSystemClassLoader());
            ClassLoader l = layer.findLoader("mod.b");
            System.out.println(layer.modules().size() + " " + (layer.findLoader("mod.a") == l) + " "
                               + layer.parents().size());
            Class<?> u = l.loadClass("b.User");
            Module a = layer.findModule("mod.a").get(), b = layer.findModule("mod.b").get();
            System.out.println(u.getModule() + " " + u.getModule().getDescriptor().provides() + " " + b.canRead(a)
                               + a.canRead(b) + " " + a.isExported("a.limited", b) + a.isExported("a.limited")
                               + a.isOpen("a.open") + a.getDescriptor().toNameAndVersion());
            for (String m : new String[] {"api", "internal", "limited", "sql"})
                t(() -> u.getModule().getName() + ":" + ClassAssembler.call(u, m));
        }
        ModuleLayer.Controller ctl =
            ModuleLayer.defineModulesWithOneLoader(cf, List.of(ModuleLayer.boot()), ClassLoader.getSystemClassLoader());
        ModuleLayer layer = ctl.layer();
        Module a = layer.findModule("mod.a").get();
        Class<?> in = layer.findLoader("mod.a").loadClass("a.internal.Int"),
                 op = layer.findLoader("mod.a").loadClass("a.open.Op");
        t(() -> in.getMethod("hello").invoke(null));
        ctl.addExports(a, "a.internal", me);
        t(() -> in.getMethod("hello").invoke(null));
        t(() -> {
            var m = op.getDeclaredMethod("hello");
            m.setAccessible(true);
            return m.invoke(null);
        });
        t(() -> {
            var m = in.getDeclaredConstructor();
            m.setAccessible(true);
            return m.newInstance().getClass();
        });
        t(() -> {
            var f = ArrayList.class.getDeclaredField("size");
            f.setAccessible(true);
            return f;
        });
        t(() -> {
            a.addExports("a.internal", me);
            return 0;
        });
        t(() -> a.getClass().getName());
        t(() -> {
            me.addReads(a);
            return me.canRead(a);
        });
        for (Runnable r : ServiceLoader.load(layer, Runnable.class)) r.run();
        t(() -> ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("missing")));
        t(()
              -> ModuleLayer.boot()
                     .configuration()
                     .resolve(new Memory()
                                  .add(ModuleDescriptor.newModule("x").requires("y").build())
                                  .add(ModuleDescriptor.newModule("y").requires("x").build()),
                              ModuleFinder.of(), Set.of("x")));
        t(()
              -> ModuleLayer.boot()
                     .configuration()
                     .resolve(new Memory().add(ModuleDescriptor.newModule("x").requires("nowhere").build()),
                              ModuleFinder.of(), Set.of("x")));
        t(()
              -> ModuleLayer
                     .defineModulesWithOneLoader(ModuleLayer.boot()
                                                     .configuration()
                                                     .resolve(new Memory()
                                                                  .add(ModuleDescriptor.newModule("x")
                                                                           .packages(Set.of("p"))
                                                                           .build())
                                                                  .add(ModuleDescriptor.newModule("y")
                                                                           .packages(Set.of("p"))
                                                                           .build()),
                                                              ModuleFinder.of(), Set.of("x", "y")),
                                                 List.of(ModuleLayer.boot()), null)
                     .layer());
        t(() -> {
            var c =
                ModuleLayer.boot()
                    .configuration()
                    .resolve(new Memory().add(ModuleDescriptor.newModule("x").packages(Set.of("java.lang")).build()),
                             ModuleFinder.of(), Set.of("x"));
            return ModuleLayer.boot().defineModulesWithOneLoader(c, null);
        });
        t(() -> ModuleDescriptor.newModule("1bad"));
        t(()
                -> ModuleDescriptor.Version.parse("1.10").compareTo(ModuleDescriptor.Version.parse("1.9")) + " "
                + ModuleDescriptor.read(Object.class.getResourceAsStream("/module-info.class")).name());
        t(()
              -> Class.forName(base, "java.lang.String") + " " + Class.forName(base, "java.lang.Nothing")
                     + Class.forName(a, "b.User"));
    }
}
