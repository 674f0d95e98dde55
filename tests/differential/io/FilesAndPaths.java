// java.io.File and java.nio.file.Files on a temporary directory: create, copy, move, walk, attributes, links, times,
// failures.
import java.io.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.Stream;

public class FilesAndPaths {
    interface Action {
        Object run() throws Exception;
    }
    static Path dir;
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(
                e.toString().replace(dir.toString(), "DIR").replace(dir.toAbsolutePath().toString(), "DIR"));
        }
    }

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory(Path.of(""), "files");
        try {
            Path a = dir.resolve("a.txt"), sub = dir.resolve("sub/deep"), link = dir.resolve("link");
            Files.writeString(a, "line1\nline2 é\n");
            Files.createDirectories(sub);
            Files.copy(a, sub.resolve("copy.txt"));
            Files.createSymbolicLink(link, Path.of("a.txt"));
            Files.createLink(dir.resolve("hard"), a);
            System.out.println(Files.size(a) + " " + Files.readAllLines(a).size() + " " + Files.exists(link)
                               + Files.isSymbolicLink(link) + Files.isSameFile(a, dir.resolve("hard"))
                               + Files.readSymbolicLink(link) + " " + Files.isDirectory(sub) + Files.isRegularFile(link)
                               + Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)
                               + Files.mismatch(a, sub.resolve("copy.txt")) + Files.isReadable(a)
                               + Files.isExecutable(a) + Files.isHidden(a));
            try (Stream<Path> s = Files.walk(dir)) {
                System.out.println(s.map(p -> dir.relativize(p).toString()).sorted().toList());
            }
            try (Stream<Path> s = Files.find(dir, 9, (p, at) -> at.isRegularFile())) {
                System.out.println(s.count());
            }
            try (DirectoryStream<Path> s = Files.newDirectoryStream(dir, "*.txt")) {
                for (Path p : s) System.out.println(p.getFileName());
            }
            try (Stream<String> s = Files.lines(a)) {
                System.out.println(s.map(String::length).toList());
            }
            Files.writeString(a, "more", StandardOpenOption.APPEND);
            Files.setLastModifiedTime(a, FileTime.fromMillis(1_000_000_000_000L));
            Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rw-r-----"));
            BasicFileAttributes at = Files.readAttributes(a, BasicFileAttributes.class);
            System.out.println(at.size() + " " + at.lastModifiedTime() + " " + at.isOther()
                               + PosixFilePermissions.toString(Files.getPosixFilePermissions(a)) + " "
                               + Files.getAttribute(a, "unix:nlink") + Files.readAttributes(a, "size,isDirectory")
                               + Files.getOwner(a).getName().isEmpty());
            t(() -> Files.readString(dir.resolve("none")));
            t(() -> Files.createDirectory(sub));
            t(() -> {
                Files.delete(dir.resolve("sub"));
                return 0;
            });
            t(() -> Files.copy(a, sub.resolve("copy.txt")));
            t(() -> Files.createFile(a));
            t(() -> Files.newDirectoryStream(a));
            t(() -> Files.readSymbolicLink(a));
            t(() -> Files.deleteIfExists(dir.resolve("none")));
            t(() -> new FileInputStream(dir.resolve("none").toFile()));
            t(() -> new FileOutputStream(dir.toFile()));
            t(() -> Files.newInputStream(dir).read());
            t(() -> Path.of("a\0b"));
            t(() -> Files.readString(Files.write(dir.resolve("bad"), new byte[] {(byte) 0xff})));
            t(() -> new RandomAccessFile(a.toFile(), "q"));
            t(() -> Files.size(dir.resolve("x/y")));
            Files.move(a, dir.resolve("b.txt"), StandardCopyOption.ATOMIC_MOVE);
            System.out.println(Files.exists(a) + " " + Files.notExists(a) + " " + Files.exists(link)
                               + Files.exists(link, LinkOption.NOFOLLOW_LINKS));
            List<String> visited = new ArrayList<>();
            Files.walkFileTree(dir, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path f, BasicFileAttributes x) {
                    visited.add(f.getFileName().toString());
                    return FileVisitResult.CONTINUE;
                }
                @Override
                public FileVisitResult postVisitDirectory(Path d, IOException e) {
                    visited.add("<" + (d.equals(dir) ? "" : d.getFileName()));
                    return FileVisitResult.CONTINUE;
                }
            });
            Collections.sort(visited);
            System.out.println(visited);
            File f = dir.resolve("b.txt").toFile();
            System.out.println(f.getName() + " " + f.isFile() + f.length() + f.canWrite() + f.lastModified()
                               + new File(dir.toFile(), "newdir").mkdir() + f.renameTo(new File(dir.toFile(), "c.txt"))
                               + new File(dir.toFile(), "c.txt").setReadOnly()
                               + Arrays.stream(dir.toFile().list()).sorted().toList() + new File("x/../y/./z").getPath()
                               + new File("/a/../b").getCanonicalPath() + new File("rel").isAbsolute() + f.delete()
                               + new File(dir.toFile(), "t").createNewFile());
            try (RandomAccessFile ra = new RandomAccessFile(dir.resolve("ra").toFile(), "rw")) {
                ra.writeLong(42);
                ra.writeUTF("text");
                ra.seek(4);
                System.out.println(ra.readInt() + ra.readUTF() + ra.getFilePointer() + " " + ra.length());
                ra.setLength(3);
                System.out.println(ra.getFilePointer() + " " + ra.length());
            }
            try (BufferedWriter w = Files.newBufferedWriter(dir.resolve("w"))) {
                for (int i = 0; i < 3000; i++) w.write("line " + i + "\n");
            }
            try (BufferedReader r = Files.newBufferedReader(dir.resolve("w"))) {
                long h = 0;
                for (String l; (l = r.readLine()) != null;) h = h * 31 + l.hashCode();
                System.out.println(h);
            }
            Path p = Path.of("/a/b/../c/./d.txt");
            System.out.println(p.normalize() + " " + p.getParent() + p.getNameCount() + p.subpath(1, 3) + p.getRoot()
                               + p.startsWith("/a") + p.endsWith("d.txt") + Path.of("/x").relativize(Path.of("/x/y/z"))
                               + p.resolveSibling("e") + Path.of("a").compareTo(Path.of("b")) + p.toUri()
                               + FileSystems.getDefault().getPathMatcher("glob:**/*.{txt,md}").matches(p)
                               + FileSystems.getDefault().getSeparator());
        } finally {
            try (Stream<Path> s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
            }
        }
    }
}
