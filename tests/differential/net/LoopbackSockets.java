// Sockets on the loopback interface: echo over streams, timeouts, half close, refused and closed connections,
// datagrams.
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;

public class LoopbackSockets {
    static final InetAddress LO = InetAddress.getLoopbackAddress();
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket ss = new ServerSocket(0, 5, LO)) {
            Thread server = new Thread(() -> {
                for (int k = 0; k < 5; k++) try (Socket s = ss.accept()) {
                        BufferedReader r =
                            new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8));
                        PrintWriter w =
                            new PrintWriter(new OutputStreamWriter(s.getOutputStream(), StandardCharsets.UTF_8), true);
                        for (String l; (l = r.readLine()) != null;) w.println("echo " + l.toUpperCase());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
            }, "server");
            server.start();
            Thread[] cs = new Thread[5];
            String[] got = new String[5];
            for (int i = 0; i < 5; i++) {
                int id = i;
                cs[i] = new Thread(() -> {
                    try (Socket s = new Socket(LO, ss.getLocalPort())) {
                        s.setTcpNoDelay(true);
                        PrintWriter w = new PrintWriter(s.getOutputStream(), true);
                        BufferedReader r = new BufferedReader(new InputStreamReader(s.getInputStream()));
                        StringBuilder b = new StringBuilder();
                        for (int k = 0; k < 20; k++) {
                            w.println("m" + id + "-" + k);
                            b.append(r.readLine()).append(';');
                        }
                        s.shutdownOutput();
                        b.append(r.readLine());
                        got[id] = b.toString();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                cs[i].start();
            }
            for (Thread c : cs) c.join();
            server.join();
            for (String g : got) System.out.println(g.length() + " " + g.substring(0, 20) + " " + g.endsWith("null"));
            ss.setSoTimeout(1);
            t(ss::accept);
            try (Socket a = new Socket(LO, ss.getLocalPort()); Socket b = accept(ss)) {
                b.setSoTimeout(1);
                t(() -> b.getInputStream().read());
                a.getOutputStream().write(new byte[5]);
                b.setSoTimeout(0);
                System.out.println(b.getInputStream().readNBytes(5).length + " " + a.isConnected() + a.isClosed()
                                   + a.isBound() + a.getTcpNoDelay() + (a.getPort() == ss.getLocalPort())
                                   + a.getInetAddress().isLoopbackAddress()
                                   + b.getRemoteSocketAddress().equals(a.getLocalSocketAddress()));
                Thread reader = new Thread(() -> {
                    try {
                        b.getInputStream().read();
                    } catch (SocketException e) {
                        System.out.println("closed under the reader");
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                });
                reader.start();
                while (reader.getState() != Thread.State.RUNNABLE) Thread.onSpinWait();
                b.close();
                reader.join();
                t(() -> b.getInputStream());
                t(() -> {
                    a.getOutputStream().close();
                    return a.isClosed();
                });
            }
            byte[] big = new byte[2 << 20];
            for (int i = 0; i < big.length; i++) big[i] = (byte) (i * 31);
            try (Socket a = new Socket(LO, ss.getLocalPort()); Socket b = accept(ss)) {
                Thread w = new Thread(() -> {
                    try {
                        a.getOutputStream().write(big);
                        a.shutdownOutput();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                w.start();
                System.out.println(java.util.Arrays.equals(b.getInputStream().readAllBytes(), big));
                w.join();
            }
        }
        ServerSocket gone = new ServerSocket(0, 1, LO);
        int port = gone.getLocalPort();
        gone.close();
        t(() -> new Socket(LO, port));
        t(gone::accept);
        t(() -> new ServerSocket(70000));
        t(() -> {
            Socket s = new Socket();
            s.close();
            s.connect(new InetSocketAddress(LO, port));
            return 0;
        });
        t(() -> {
            try (ServerSocket x = new ServerSocket(0, 1, LO)) {
                return new ServerSocket(x.getLocalPort(), 1, LO);
            }
        });
        try (DatagramSocket d1 = new DatagramSocket(0, LO); DatagramSocket d2 = new DatagramSocket(0, LO)) {
            byte[] m = "datagram".getBytes();
            d1.send(new DatagramPacket(m, m.length, LO, d2.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[5], 5);
            d2.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()) + " " + (p.getPort() == d1.getLocalPort()));
            d2.setSoTimeout(1);
            t(() -> {
                d2.receive(p);
                return 0;
            });
        }
        System.out.println(InetAddress.getByName("127.0.0.1") + " "
                           + InetAddress.getByAddress("name", new byte[] {10, 0, 0, 1}) + " "
                           + InetAddress.getByName("::1").getHostAddress() + " "
                           + InetAddress.getByName("224.0.0.1").isMulticastAddress() + " "
                           + InetSocketAddress.createUnresolved("host.invalid", 5) + " "
                           + NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1")).isLoopback());
        t(() -> InetAddress.getByAddress(new byte[3]));
        t(() -> new InetSocketAddress("x", -1));
        URI u = new URI("http://user@host.com:8080/a/b%20c/../d?q=1&r=é#frag");
        System.out.println(u.getHost() + u.getPort() + u.getPath() + u.normalize().getPath() + u.getQuery()
                           + u.getRawQuery().length() + u.getFragment() + u.resolve("../x")
                           + URI.create("a/b").relativize(URI.create("a/b/c")) + u.toASCIIString().length());
        t(() -> new URI("http://[bad"));
        t(() -> new URL("nope://x"));
        System.out.println(URLEncoder.encode("a b&ü+", StandardCharsets.UTF_8)
                           + URLDecoder.decode("a+b%26", StandardCharsets.UTF_8)
                           + new URL("http://h:9/p?q#f").getFile());
        t(() -> URLDecoder.decode("%zz", StandardCharsets.UTF_8));
    }
    static Socket accept(ServerSocket ss) throws IOException {
        ss.setSoTimeout(0);
        return ss.accept();
    }
}
