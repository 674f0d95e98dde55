"""Servers and a client that loads them: the server in one process, the client in another, both on the VM under test."""
import signal
import socket

from program import Program, jars

LOAD = """
import java.net.URI;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;

/** Eight threads, each with 150 requests one after the other, GET and POST in turn; and 400 at once. */
public class Load {
    public static void main(String[] a) throws Exception {
        String base = "http://localhost:" + a[0];
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        List<Future<Long>> sums = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int n = t;
            sums.add(pool.submit(() -> {
                long sum = 0;
                for (int i = 0; i < 150; i++) {
                    var b = HttpRequest.newBuilder(URI.create(base + "/sum?a=" + n + "&b=" + i));
                    HttpRequest request = i % 2 == 0 ? b.build()
                        : b.POST(HttpRequest.BodyPublishers.ofString("x".repeat(i * 50))).build();
                    HttpResponse<String> r = client.send(request, HttpResponse.BodyHandlers.ofString());
                    if (r.statusCode() != 200) throw new IllegalStateException("status " + r.statusCode());
                    sum += Long.parseLong(r.body().strip());
                }
                return sum;
            }));
        }
        long total = 0;
        for (Future<Long> s : sums) total += s.get();
        System.out.println("total " + total);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 400; i++)
            all.add(client.sendAsync(HttpRequest.newBuilder(URI.create(base + "/big?n=" + i * 100)).build(),
                                     HttpResponse.BodyHandlers.ofByteArray()).thenApply(r -> r.body().length));
        total = 0;
        for (var f : all) total += f.get();
        System.out.println("bytes " + total);
        HttpResponse<String> r = client.send(HttpRequest.newBuilder(URI.create(base + "/none")).build(),
                                             HttpResponse.BodyHandlers.ofString());
        System.out.println("none " + r.statusCode());
        pool.shutdown();
    }
}
"""
SERVLETS = """
import java.io.*;
import PACKAGE.servlet.http.*;
public class Servlets {
    public static class Sum extends HttpServlet {
        private void answer(HttpServletRequest q, HttpServletResponse r, int more) throws IOException {
            r.setContentType("text/plain");
            int sum = Integer.parseInt(q.getParameter("a")) + Integer.parseInt(q.getParameter("b"));
            r.getWriter().println(sum + more);
        }
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException { answer(q, r, 0); }
        protected void doPost(HttpServletRequest q, HttpServletResponse r) throws IOException {
            answer(q, r, q.getInputStream().readAllBytes().length);
        }
    }
    public static class Big extends HttpServlet {
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
            r.getOutputStream().write(new byte[Integer.parseInt(q.getParameter("n"))]);
        }
    }
}
"""
JETTY = """
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
public class Main {
    public static void main(String[] a) throws Exception {
        Server server = new Server(Integer.parseInt(a[0]));
        ServletContextHandler h = new ServletContextHandler();
        h.addServlet(Servlets.Sum.class, "/sum");
        h.addServlet(Servlets.Big.class, "/big");
        server.setHandler(h);
        server.setStopAtShutdown(true);
        server.start();
        System.out.println("SERVING");
        server.join();
    }
}
"""
TOMCAT = """
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
public class Main {
    public static void main(String[] a) throws Exception {
        Tomcat t = new Tomcat();
        t.setBaseDir("base");
        t.setPort(Integer.parseInt(a[0]));
        t.getConnector();
        Context c = t.addContext("", new java.io.File(".").getAbsolutePath());
        Tomcat.addServlet(c, "sum", new Servlets.Sum());
        Tomcat.addServlet(c, "big", new Servlets.Big());
        c.addServletMappingDecoded("/sum", "sum");
        c.addServletMappingDecoded("/big", "big");
        t.start();
        System.out.println("SERVING");
        t.getServer().await();
    }
}
"""
NETTY = """
import io.netty.bootstrap.*;
import io.netty.buffer.*;
import io.netty.channel.*;
import io.netty.channel.nio.*;
import io.netty.channel.socket.*;
import io.netty.channel.socket.nio.*;
import io.netty.handler.codec.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** An echo server and 20 clients that send 300 messages each and count what comes back. */
public class Echo {
    public static void main(String[] a) throws Exception {
        EventLoopGroup boss = new NioEventLoopGroup(1), group = new NioEventLoopGroup(4);
        Channel server = new ServerBootstrap().group(boss, group).channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInitializer<SocketChannel>() {
                protected void initChannel(SocketChannel c) {
                    c.pipeline().addLast(new LengthFieldBasedFrameDecoder(1 << 20, 0, 4, 0, 4));
                    c.pipeline().addLast(new LengthFieldPrepender(4),
                        new ChannelInboundHandlerAdapter() {
                            public void channelRead(ChannelHandlerContext x, Object m) { x.writeAndFlush(m); }
                        });
                }
            }).bind("localhost", 0).sync().channel();
        int clients = 20, messages = 300;
        CountDownLatch done = new CountDownLatch(clients);
        AtomicLong bytes = new AtomicLong(), sum = new AtomicLong();
        for (int k = 0; k < clients; k++) {
            int seed = k;
            Bootstrap client = new Bootstrap().group(group).channel(NioSocketChannel.class);
            client.handler(new ChannelInitializer<SocketChannel>() {
                protected void initChannel(SocketChannel c) {
                    c.pipeline().addLast(new LengthFieldBasedFrameDecoder(1 << 20, 0, 4, 0, 4));
                    c.pipeline().addLast(new LengthFieldPrepender(4),
                        new SimpleChannelInboundHandler<ByteBuf>() {
                            int count;
                            void next(ChannelHandlerContext x) {
                                int n = 1 + (seed * 7919 + count * 104729) % 5000;
                                ByteBuf b = count % 2 == 0 ? x.alloc().directBuffer(n) : x.alloc().heapBuffer(n);
                                for (int i = 0; i < n; i++) b.writeByte(i + seed);
                                x.writeAndFlush(b);
                            }
                            public void channelActive(ChannelHandlerContext x) { next(x); }
                            protected void channelRead0(ChannelHandlerContext x, ByteBuf b) {
                                bytes.addAndGet(b.readableBytes());
                                long s = 0;
                                while (b.isReadable()) s = s * 31 + b.readByte();
                                sum.addAndGet(s);
                                if (++count < messages) next(x);
                                else { x.close(); done.countDown(); }
                            }
                        });
                }
            }).connect(server.localAddress());
        }
        System.out.println(done.await(120, TimeUnit.SECONDS) + " " + bytes + " " + sum);
        server.close().sync();
        boss.shutdownGracefully().sync();
        group.shutdownGracefully().sync();
    }
}
"""
JETTY_PATH = jars("jetty9-server", "jetty9-servlet", "jetty9-util", "jetty9-http", "jetty9-io", "jetty9-security",
                  "servlet-api")
TOMCAT_PATH = jars(*(f"tomcat10-{n}" for n in ("annotations-api", "api", "catalina", "coyote", "el-api", "jaspic-api",
                                               "jni", "juli", "servlet-api", "util", "util-scan")))
NETTY_PATH = jars("netty-all", "netty-buffer", "netty-codec", "netty-common", "netty-handler", "netty-resolver",
                  "netty-transport")


def served(path, package):
    def run(r):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        (r.work / "Servlets.java").write_text(SERVLETS.replace("PACKAGE", package))
        r.command(["javac", "-cp", path, "Main.java", "Servlets.java", "Load.java"])
        process, _ = r.start("-cp", f"{path}:.", "Main", port, until="SERVING")
        r.java("-cp", ".", "Load", port)
        r.end(process, signal.SIGTERM)
        r.note(f"the server ended: {process.returncode}")
    return run


PROGRAMS = [
    Program("jetty", "servlets, 1,600 requests of 8 threads and 400 at once", served(JETTY_PATH, "javax"),
            "total 2343600", ["libjetty9-java", "libservlet-api-java"], files={"Main.java": JETTY, "Load.java": LOAD}),
    Program("tomcat", "servlets, the same load", served(TOMCAT_PATH, "jakarta"), "total 2343600",
            ["libtomcat10-java"], files={"Main.java": TOMCAT, "Load.java": LOAD}),
    Program("netty", "echo of 6,000 messages to 20 clients, direct and heap buffers",
            [f"javac -cp {NETTY_PATH} Echo.java", f"java -cp {NETTY_PATH}:. Echo"], "true ", ["libnetty-java"],
            files={"Echo.java": NETTY}),
]
