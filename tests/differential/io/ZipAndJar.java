// Zip, gzip, deflate and jar: every level and strategy, dictionaries, entries, comments, corrupt input, the zip file
// system.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

public class ZipAndJar {
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
        byte[] data = new byte[30_000];
        Random r = new Random(9);
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i % 100 < 70 ? i % 13 : r.nextInt(256));
        for (int level : new int[] {-1, 0, 1, 6, 9})
            for (int strategy : new int[] {Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY}) {
                Deflater d = new Deflater(level, strategy == Deflater.FILTERED);
                d.setStrategy(strategy);
                d.setInput(data);
                d.finish();
                byte[] out = new byte[40_000];
                int n = d.deflate(out);
                Inflater i = new Inflater(strategy == Deflater.FILTERED);
                i.setInput(out, 0, n);
                byte[] back = new byte[data.length];
                int m = i.inflate(back);
                System.out.print((m == data.length && Arrays.equals(back, data) ? "ok" : "BAD") + (n < data.length)
                                 + d.finished() + i.getBytesWritten() + " ");
                d.end();
                i.end();
            }
        System.out.println();
        Deflater dict = new Deflater();
        dict.setDictionary("hello world".getBytes());
        dict.setInput("hello world hello".getBytes());
        dict.finish();
        byte[] db = new byte[100];
        int dn = dict.deflate(db);
        Inflater di = new Inflater();
        di.setInput(db, 0, dn);
        byte[] o = new byte[50];
        System.out.println(di.inflate(o) + " " + di.needsDictionary() + " " + di.getAdler());
        di.setDictionary("hello world".getBytes());
        System.out.println(new String(o, 0, di.inflate(o)));
        t(() -> {
            Inflater bad = new Inflater();
            bad.setInput(new byte[] {1, 2, 3, 4});
            return bad.inflate(new byte[10]);
        });
        di.end();
        t(() -> di.inflate(new byte[1]));
        ByteArrayOutputStream gz = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(gz)) {
            g.write(data);
        }
        byte[] gzb = gz.toByteArray();
        try (GZIPInputStream g = new GZIPInputStream(new ByteArrayInputStream(gzb))) {
            System.out.println(Arrays.equals(g.readAllBytes(), data));
        }
        t(() -> new GZIPInputStream(new ByteArrayInputStream(new byte[20])));
        t(() -> {
            byte[] x = gzb.clone();
            x[x.length - 5] ^= 1;
            return new GZIPInputStream(new ByteArrayInputStream(x)).readAllBytes().length;
        });
        t(() -> new GZIPInputStream(new ByteArrayInputStream(gzb, 0, gzb.length / 2)).readAllBytes().length);
        Path dir = Files.createTempDirectory(Path.of(""), "zip");
        try {
            Path z = dir.resolve("a.zip");
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(z))) {
                out.setComment("comment é");
                for (String n : new String[] {"first.txt", "dir/", "dir/ü日.bin", "stored"}) {
                    ZipEntry e = new ZipEntry(n);
                    e.setTime(1_600_000_000_000L);
                    e.setComment("c");
                    e.setExtra(new byte[] {1, 2, 1, 0, 9});
                    byte[] c = n.endsWith("/") ? new byte[0] : Arrays.copyOf(data, n.length() * 100);
                    if (n.equals("stored")) {
                        e.setMethod(ZipEntry.STORED);
                        e.setSize(c.length);
                        CRC32 crc = new CRC32();
                        crc.update(c);
                        e.setCrc(crc.getValue());
                    }
                    out.putNextEntry(e);
                    out.write(c);
                    out.closeEntry();
                }
                t(() -> {
                    out.putNextEntry(new ZipEntry("first.txt"));
                    return 0;
                });
            }
            try (ZipFile f = new ZipFile(z.toFile())) {
                System.out.println(f.size() + f.getComment() + f.getEntry("dir").getName() + f.getEntry("none"));
                for (ZipEntry e : Collections.list(f.entries()))
                    System.out.println(e.getName().length() + " " + e.getSize() + " " + e.isDirectory() + e.getMethod()
                                       + Long.toHexString(e.getCrc()) + e.getComment() + " " + e.getExtra().length
                                       + f.getInputStream(e).readAllBytes().length);
            }
            try (ZipInputStream in = new ZipInputStream(Files.newInputStream(z))) {
                int n = 0;
                for (ZipEntry e; (e = in.getNextEntry()) != null;) n += in.readAllBytes().length + e.getName().length();
                System.out.println(n);
            }
            Files.write(dir.resolve("bad.zip"), new byte[100]);
            t(() -> {
                try {
                    return new ZipFile(dir.resolve("bad.zip").toFile());
                } catch (ZipException e) {
                    return e.getMessage();
                }
            });
            t(() -> {
                Files.write(dir.resolve("cut.zip"), Arrays.copyOf(Files.readAllBytes(z), 300));
                try {
                    return new ZipFile(dir.resolve("cut.zip").toFile());
                } catch (ZipException e) {
                    return e.getMessage();
                }
            });
            t(() -> {
                try {
                    return new ZipFile(new File(dir.toFile(), "none.zip"));
                } catch (NoSuchFileException e) {
                    return "no such file";
                }
            });
            try (FileSystem fs = FileSystems.newFileSystem(z)) {
                System.out.println(Files.readAllBytes(fs.getPath("/first.txt")).length + " "
                                   + Files.isDirectory(fs.getPath("dir")));
                Files.writeString(fs.getPath("/added.txt"), "added");
                Files.delete(fs.getPath("stored"));
            }
            try (ZipFile f = new ZipFile(z.toFile(), StandardCharsets.UTF_8)) {
                System.out.println(f.stream().map(ZipEntry::getName).map(String::length).sorted().toList());
            }
            Manifest m = new Manifest();
            Attributes at = m.getMainAttributes();
            at.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            at.putValue("X-Long", "v".repeat(150));
            m.getEntries().put("a/B.class", new Attributes());
            m.getEntries().get("a/B.class").putValue("Sealed", "true");
            ByteArrayOutputStream mo = new ByteArrayOutputStream();
            m.write(mo);
            System.out.println(mo.toString().lines().map(String::length).toList() + " "
                               + new Manifest(new ByteArrayInputStream(mo.toByteArray())).equals(m));
            t(() -> new Manifest(new ByteArrayInputStream("bad line\n".getBytes())));
            Path j = dir.resolve("m.jar");
            at.put(Attributes.Name.MULTI_RELEASE, "true");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(j), m)) {
                for (String n : new String[] {"v.txt", "META-INF/versions/9/v.txt", "META-INF/versions/11/v.txt",
                                              "META-INF/versions/99/v.txt"}) {
                    out.putNextEntry(new JarEntry(n));
                    out.write(n.getBytes());
                    out.closeEntry();
                }
            }
            try (JarFile f = new JarFile(j.toFile(), true, ZipFile.OPEN_READ, Runtime.version())) {
                System.out.println(f.isMultiRelease() + " " + f.getJarEntry("v.txt").getRealName() + " "
                                   + f.versionedStream().count() + " "
                                   + f.getManifest().getMainAttributes().getValue("X-Long").length());
            }
            System.out.println(java.util.spi.ToolProvider.findFirst("jar").get().run(
                new PrintWriter(System.out, true), new PrintWriter(System.out, true), "tf", j.toString()));
        } finally {
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
