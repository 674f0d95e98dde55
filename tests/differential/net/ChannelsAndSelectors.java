// Non-blocking socket channels with a selector, datagram channels, asynchronous channels, interrupts and wakeups.
import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.Future;

public class ChannelsAndSelectors {
    static final InetAddress LO = InetAddress.getLoopbackAddress();
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e.getClass().getName());
        }
    }

    public static void main(String[] args) throws Exception {
        int clients = 8, rounds = 10;
        try (Selector sel = Selector.open(); ServerSocketChannel ssc = ServerSocketChannel.open()) {
            ssc.bind(new InetSocketAddress(LO, 0)).configureBlocking(false).register(sel, SelectionKey.OP_ACCEPT);
            int port = ((InetSocketAddress) ssc.getLocalAddress()).getPort();
            int[] totals = new int[clients];
            Thread[] ts = new Thread[clients];
            for (int i = 0; i < clients; i++) {
                int id = i;
                ts[i] = new Thread(() -> {
                    try (SocketChannel c = SocketChannel.open(new InetSocketAddress(LO, port))) {
                        for (int k = 0; k < rounds; k++) {
                            ByteBuffer b = ByteBuffer.allocate(100);
                            while (b.hasRemaining()) b.put((byte) id);
                            b.flip();
                            while (b.hasRemaining()) c.write(b);
                            b.clear();
                            while (b.hasRemaining()) c.read(b);
                            for (byte x : b.array()) totals[id] += x;
                        }
                    } catch (IOException e) {
                        throw new Error(e);
                    }
                });
                ts[i].start();
            }
            int open = 0, closed = 0, accepted = 0;
            ByteBuffer buf = ByteBuffer.allocateDirect(512);
            while (closed < clients) {
                sel.select();
                for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext();) {
                    SelectionKey k = it.next();
                    it.remove();
                    if (k.isAcceptable()) {
                        SocketChannel c = ssc.accept();
                        if (c != null) {
                            c.configureBlocking(false).register(sel, SelectionKey.OP_READ, "att" + accepted++);
                            open++;
                        }
                    } else if (k.isReadable()) {
                        SocketChannel c = (SocketChannel) k.channel();
                        buf.clear();
                        int n = c.read(buf);
                        if (n < 0) {
                            c.close();
                            closed++;
                            open--;
                        } else {
                            buf.flip();
                            while (buf.hasRemaining()) buf.put(buf.position(), (byte) (buf.get() * 2));
                            buf.flip();
                            while (buf.hasRemaining()) c.write(buf);
                        }
                    }
                }
            }
            for (Thread x : ts) x.join();
            System.out.println(Arrays.toString(totals) + " " + open + " " + accepted + " " + sel.selectNow() + " "
                               + sel.keys().size());
            sel.wakeup();
            System.out.println(sel.select());
            Thread s = new Thread(() -> {
                try {
                    System.out.println("selected " + sel.select());
                } catch (IOException e) {
                    throw new Error(e);
                }
            });
            s.start();
            sel.wakeup();
            s.join();
            Thread.currentThread().interrupt();
            System.out.println(sel.select() + " " + Thread.interrupted());
            t(() -> sel.select(1));
            System.out.println(sel.selectNow());
            Selector other = Selector.open();
            other.close();
            t(() -> other.select());
            t(() -> ssc.register(other, SelectionKey.OP_ACCEPT));
            t(() -> ssc.register(sel, SelectionKey.OP_READ));
            t(() -> SocketChannel.open().register(sel, SelectionKey.OP_CONNECT));
            SocketChannel nb = SocketChannel.open();
            nb.configureBlocking(false);
            boolean now = nb.connect(new InetSocketAddress(LO, port));
            if (!now) {
                nb.register(sel, SelectionKey.OP_CONNECT);
                while (!nb.finishConnect()) sel.select();
            }
            System.out.println(nb.isConnected() + " " + nb.read(ByteBuffer.allocate(1)) + nb.isBlocking());
            nb.close();
            t(() -> nb.write(ByteBuffer.allocate(1)));
            t(() -> SocketChannel.open().read(ByteBuffer.allocate(1)));
            t(() -> SocketChannel.open().finishConnect());
        }
        try (DatagramChannel a = DatagramChannel.open().bind(new InetSocketAddress(LO, 0));
             DatagramChannel b = DatagramChannel.open().bind(new InetSocketAddress(LO, 0))) {
            a.send(ByteBuffer.wrap("dgram".getBytes()), b.getLocalAddress());
            ByteBuffer r = ByteBuffer.allocate(10);
            SocketAddress from = b.receive(r);
            System.out.println(from.equals(a.getLocalAddress()) + " " + new String(r.array(), 0, r.position()));
            b.configureBlocking(false);
            System.out.println(b.receive(r));
            b.connect(from);
            a.connect(b.getLocalAddress());
            a.write(ByteBuffer.wrap(new byte[3]));
            b.configureBlocking(true);
            r.clear();
            System.out.println(b.read(r));
        }
        try (ServerSocketChannel ss = ServerSocketChannel.open().bind(new InetSocketAddress(LO, 0));
             SocketChannel c = SocketChannel.open(ss.getLocalAddress()); SocketChannel d = ss.accept()) {
            Thread rd = new Thread(() -> {
                try {
                    d.read(ByteBuffer.allocate(1));
                } catch (ClosedByInterruptException e) {
                    System.out.println("closed by interrupt " + Thread.interrupted());
                } catch (IOException e) {
                    System.out.println(e);
                }
            });
            rd.start();
            rd.interrupt();
            rd.join();
            System.out.println(d.isOpen() + " " + c.read(ByteBuffer.allocate(1)));
            Thread acc = new Thread(() -> {
                try {
                    ss.accept();
                } catch (AsynchronousCloseException e) {
                    System.out.println("closed");
                } catch (ClosedChannelException e) {
                    System.out.println("closed");
                } catch (IOException e) {
                    System.out.println(e.getClass());
                }
            });
            acc.start();
            while (acc.getState() != Thread.State.RUNNABLE) Thread.onSpinWait();
            ss.close();
            acc.join();
        }
        try (AsynchronousServerSocketChannel as =
                 AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(LO, 0));
             AsynchronousSocketChannel ac = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> acc = as.accept();
            ac.connect(as.getLocalAddress()).get();
            try (AsynchronousSocketChannel peer = acc.get()) {
                ac.write(ByteBuffer.wrap("async".getBytes())).get();
                ByteBuffer r = ByteBuffer.allocate(5);
                while (r.hasRemaining()) peer.read(r).get();
                System.out.println(new String(r.array()));
            }
        }
        java.nio.file.Path p = java.nio.file.Files.createTempDirectory("ux").resolve("s");
        try (ServerSocketChannel us =
                 ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(p));
             SocketChannel uc = SocketChannel.open(UnixDomainSocketAddress.of(p)); SocketChannel up = us.accept()) {
            uc.write(ByteBuffer.wrap(new byte[4]));
            System.out.println(up.read(ByteBuffer.allocate(10)));
        } finally {
            java.nio.file.Files.delete(p);
            java.nio.file.Files.delete(p.getParent());
        }
    }
}
