import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/** Clients that load a server, each with one request after the other, and a program whose heap is mostly alive. */
public class Load {
    static final AtomicLong done = new AtomicLong();
    static volatile Throwable fault;

    interface Client {
        void request(Random r) throws Exception;
    }

    /** One connection that is kept. Answers are small and have their length. */
    static class Http implements Client {
        final Socket socket;
        final InputStream in;

        Http(int port) throws IOException {
            socket = new Socket("localhost", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        String line() throws IOException {
            StringBuilder b = new StringBuilder();
            for (int c; (c = in.read()) != '\n'; ) {
                if (c < 0) throw new EOFException();
                if (c != '\r') b.append((char) c);
            }
            return b.toString();
        }

        public void request(Random r) throws IOException {
            int a = r.nextInt(1000), b = r.nextInt(1000), body = r.nextBoolean() ? 0 : 1 + r.nextInt(4000);
            String head = (body > 0 ? "POST" : "GET") + " /sum?a=" + a + "&b=" + b + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Accept: text/plain, text/html;q=0.5\r\nUser-Agent: load\r\n"
                + (body > 0 ? "Content-Type: application/octet-stream\r\nContent-Length: " + body + "\r\n" : "")
                + "\r\n" + "x".repeat(body);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            String status = line();
            int length = -1;
            for (String h = line(); !h.isEmpty(); h = line())
                if (h.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                    length = Integer.parseInt(h.substring(15).strip());
            String answer = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1).strip();
            if (!status.contains(" 200 ") || Integer.parseInt(answer) != a + b + body)
                throw new IOException(status + ": " + answer);
        }
    }

    /** A transfer between two accounts, the record of it, and a question. */
    static class Sql implements Client {
        static final int ACCOUNTS = 10000;
        final Connection c;
        final PreparedStatement update, insert, ask;

        Sql(String url) throws SQLException {
            c = DriverManager.getConnection(url, "sa", "");
            c.setAutoCommit(false);
            update = c.prepareStatement("update accounts set balance = balance + ? where id = ?");
            insert = c.prepareStatement("insert into transfers (source, target, amount) values (?, ?, ?)");
            ask = c.prepareStatement("select count(*), sum(balance) from accounts where id between ? and ?");
        }

        static void setUp(String url) throws SQLException {
            try (Connection c = DriverManager.getConnection(url, "sa", ""); Statement s = c.createStatement()) {
                s.execute("create table accounts (id int primary key, balance int)");
                s.execute("create table transfers (id int auto_increment primary key, source int, target int, "
                          + "amount int)");
                for (int i = 0; i < ACCOUNTS; i++) s.execute("insert into accounts values (" + i + ", 100)");
            }
        }

        public void request(Random r) throws SQLException {
            int a = r.nextInt(ACCOUNTS - 1), b = a + 1 + r.nextInt(ACCOUNTS - 1 - a), amount = r.nextInt(10);
            for (int i = 0; i < 2; i++) {            // in the order of their numbers: no deadlock
                update.setInt(1, i == 0 ? amount : -amount);
                update.setInt(2, i == 0 ? a : b);
                update.executeUpdate();
            }
            insert.setInt(1, a);
            insert.setInt(2, b);
            insert.setInt(3, amount);
            insert.executeUpdate();
            ask.setInt(1, a);
            ask.setInt(2, Math.min(ACCOUNTS - 1, a + 99));
            try (ResultSet found = ask.executeQuery()) {
                found.next();
                if (found.getInt(1) != Math.min(ACCOUNTS - a, 100)) throw new SQLException("rows are missing");
            }
            c.commit();
        }
    }

    static void work(Client client, int seed) {
        Random r = new Random(seed);
        try {
            for (;;) {
                client.request(r);
                done.incrementAndGet();
            }
        } catch (Exception e) {
            fault = e;
        }
    }

    /** So many megabytes stay alive; a part of them is replaced all the time, besides garbage that lives shortly. */
    static void alive(int megabytes, int seconds) {
        Object[][] all = new Object[megabytes * 8][];
        Random r = new Random(1);
        for (int i = 0; i < all.length; i++) all[i] = piece(r);
        System.out.println("begin");
        long end = System.nanoTime() + seconds * 1_000_000_000L, pieces = 0;
        while (System.nanoTime() < end) {
            all[r.nextInt(all.length)] = piece(r);
            for (int i = 0; i < 8; i++) piece(r);
            pieces++;
        }
        System.out.println("end " + pieces);
    }

    /** An eighth of a megabyte: arrays and lists of small objects. */
    static Object[] piece(Random r) {
        Object[] made = new Object[820];
        for (int i = 0; i < made.length; i++)
            made[i] = new Object[] {new byte[r.nextInt(100)], new int[2], new long[1]};
        return made;
    }

    public static void main(String[] a) throws Exception {
        if (a[0].equals("alive")) {
            alive(Integer.parseInt(a[1]), Integer.parseInt(a[2]));
            return;
        }
        int threads = Integer.parseInt(a[2]), warm = Integer.parseInt(a[3]), seconds = Integer.parseInt(a[4]);
        if (a[0].equals("sql")) Sql.setUp(a[1]);
        for (int t = 0; t < threads; t++) {
            Client client = a[0].equals("sql") ? new Sql(a[1]) : new Http(Integer.parseInt(a[1]));
            int seed = t;
            Thread thread = new Thread(() -> work(client, seed));
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(warm * 1000L);
        long before = done.get(), start = System.nanoTime();
        System.out.println("begin");
        Thread.sleep(seconds * 1000L);
        double rate = (done.get() - before) * 1e9 / (System.nanoTime() - start);
        System.out.println("end " + rate + " " + (done.get() - before));
        if (fault != null) {
            fault.printStackTrace();
            System.exit(1);
        }
    }
}
