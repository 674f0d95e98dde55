// File channels: positional I/O, scatter and gather, mapping, transfer, locks, truncation, closing by interrupt.
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.concurrent.*;
import static java.nio.file.StandardOpenOption.*;

public class FileChannels {
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
        Path f = Files.createTempFile(Path.of(""), "chan", ".bin"),
             g = Files.createTempFile(Path.of(""), "chan", ".out");
        try (FileChannel c = FileChannel.open(f, READ, WRITE)) {
            ByteBuffer b = ByteBuffer.allocateDirect(10_000);
            for (int i = 0; i < 2500; i++) b.putInt(i);
            b.flip();
            System.out.println(c.write(b) + " " + c.size() + " " + c.position() + " "
                               + c.write(ByteBuffer.wrap("XY".getBytes()), 5) + c.position());
            ByteBuffer[] two = {ByteBuffer.allocate(4), ByteBuffer.allocateDirect(8)};
            c.position(4);
            System.out.println(c.read(two) + " " + two[0].flip().getInt() + " " + two[1].flip().getLong() + " "
                + c.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2, 3})}));
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, c.size());
            m.putInt(400, -7);
            m.force();
            ByteBuffer r = ByteBuffer.allocate(4);
            c.read(r, 400);
            System.out.println(r.flip().getInt() + " " + m.isLoaded() + m.capacity());
            MappedByteBuffer ro = c.map(FileChannel.MapMode.READ_ONLY, 8, 100);
            t(() -> ro.put((byte) 1));
            MappedByteBuffer cow = c.map(FileChannel.MapMode.PRIVATE, 0, 16);
            cow.put(0, (byte) 99);
            System.out.println(cow.get(0) + " " + m.get(0));
            t(() -> c.map(FileChannel.MapMode.READ_ONLY, -1, 5));
            try (FileChannel out = FileChannel.open(g, WRITE)) {
                System.out.println(c.transferTo(100, 500, out) + " " + out.transferFrom(c.position(0), 500, 200) + " "
                                   + out.size());
                t(() -> out.read(ByteBuffer.allocate(1)));
            }
            try (FileLock l = c.lock(0, 10, false)) {
                System.out.println(l.isValid() + " " + l.isShared() + l.size() + l.overlaps(5, 1));
                t(() -> c.tryLock(5, 10, false));
            }
            c.truncate(50);
            System.out.println(c.size() + " " + c.position() + " " + c.read(ByteBuffer.allocate(10), 60));
            t(() -> c.position(-1));
            t(() -> c.read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
            Thread.currentThread().interrupt();
            t(() -> c.read(ByteBuffer.allocate(1)));
            System.out.println(Thread.interrupted() + " " + c.isOpen());
            t(() -> c.size());
        }
        try (AsynchronousFileChannel a = AsynchronousFileChannel.open(f, READ, WRITE)) {
            System.out.println(a.write(ByteBuffer.wrap("async".getBytes()), 0).get());
            CompletableFuture<Integer> done = new CompletableFuture<>();
            ByteBuffer r = ByteBuffer.allocate(5);
            a.read(r, 0, "att", new CompletionHandler<Integer, String>() {
                public void completed(Integer n, String s) { done.complete(n); }
                public void failed(Throwable e, String s) { done.completeExceptionally(e); }
            });
            System.out.println(done.get() + new String(r.array()));
        }
        Pipe p = Pipe.open();
        Thread w = new Thread(() -> {
            try (var sink = p.sink()) {
                for (int i = 0; i < 50; i++) sink.write(ByteBuffer.wrap(new byte[100]));
            } catch (java.io.IOException e) {
                throw new Error(e);
            }
        });
        w.start();
        int total = 0;
        ByteBuffer r = ByteBuffer.allocate(333);
        for (int n; (n = p.source().read(r)) >= 0; r.clear()) total += n;
        w.join();
        System.out.println(total);
        try (SeekableByteChannel s = Files.newByteChannel(f)) {
            System.out.println(s.size() + " " + s.getClass().getSimpleName().isEmpty());
            t(() -> s.write(ByteBuffer.allocate(1)));
        }
        t(() -> FileChannel.open(Path.of("none"), READ));
        t(() -> FileChannel.open(f, READ, APPEND, TRUNCATE_EXISTING));
        try (var in = Channels.newInputStream(FileChannel.open(f, READ))) {
            System.out.println(new String(in.readNBytes(5)));
        }
        Files.delete(f);
        Files.delete(g);
    }
}
