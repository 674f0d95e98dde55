// The JDK's small HTTP server and its URL connection and HTTP client talking over loopback.
import com.sun.net.httpserver.HttpServer;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.util.concurrent.*;

public class HttpOnLoopback {
    public static void main(String[] args) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        ExecutorService ex = Executors.newFixedThreadPool(2);
        s.setExecutor(ex);
        s.createContext("/hello", x -> {
            byte[] b =
                (x.getRequestMethod() + " " + x.getRequestURI() + " " + new String(x.getRequestBody().readAllBytes()))
                    .getBytes();
            x.getResponseHeaders().add("X-Own", "value");
            x.sendResponseHeaders(200, b.length);
            x.getResponseBody().write(b);
            x.close();
        });
        s.createContext("/gone", x -> {
            x.sendResponseHeaders(410, -1);
            x.close();
        });
        s.start();
        try {
            String base = "http://127.0.0.1:" + s.getAddress().getPort();
            HttpURLConnection c = (HttpURLConnection) new URL(base + "/hello?a=b").openConnection(Proxy.NO_PROXY);
            System.out.println(c.getResponseCode() + " " + c.getHeaderField("X-Own") + " "
                               + new String(c.getInputStream().readAllBytes()));
            HttpURLConnection p = (HttpURLConnection) new URL(base + "/hello").openConnection(Proxy.NO_PROXY);
            p.setDoOutput(true);
            p.getOutputStream().write("posted".getBytes());
            System.out.println(new String(p.getInputStream().readAllBytes()));
            HttpURLConnection g = (HttpURLConnection) new URL(base + "/gone").openConnection(Proxy.NO_PROXY);
            System.out.println(g.getResponseCode() + " " + g.getErrorStream());
            try {
                new URL(base + "/none").openConnection(Proxy.NO_PROXY).getInputStream();
            } catch (FileNotFoundException e) {
                System.out.println("not found");
            }
            HttpClient client = HttpClient.newBuilder()
                                    .executor(ex)
                                    .proxy(HttpClient.Builder.NO_PROXY)
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .build();
            HttpResponse<String> r = client.send(HttpRequest.newBuilder(URI.create(base + "/hello/x"))
                                                     .POST(HttpRequest.BodyPublishers.ofString("body"))
                                                     .build(),
                                                 HttpResponse.BodyHandlers.ofString());
            System.out.println(r.statusCode() + " " + r.body() + " " + r.headers().firstValue("x-own").get() + " "
                               + r.version());
            System.out.println(client
                                   .sendAsync(HttpRequest.newBuilder(URI.create(base + "/gone")).build(),
                                              HttpResponse.BodyHandlers.discarding())
                                   .thenApply(HttpResponse::statusCode)
                                   .get());
        } finally {
            s.stop(0);
            ex.shutdown();
        }
    }
}
