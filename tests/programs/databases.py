"""Databases as servers: concurrent clients, kill -9 in the midst of their transactions, and what recovery has kept."""
import signal
import socket

from program import Program, jars, wait_for

BANK = """
import java.io.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import java.util.concurrent.atomic.*;

public class Bank {
    static final int ACCOUNTS = 20, EACH = 100;
    static String url, user;

    static Connection open() throws SQLException {
        Connection c = DriverManager.getConnection(url, user, user.equals("app") ? "app" : "");
        c.setAutoCommit(false);
        return c;
    }

    static void setUp() throws SQLException {
        try (Connection c = open(); Statement s = c.createStatement()) {
            s.execute("create table accounts (id int primary key, balance int)");
            s.execute("create table done (id int primary key, text varchar(200))");
            for (int i = 0; i < ACCOUNTS; i++) s.execute("insert into accounts values (" + i + ", " + EACH + ")");
            c.commit();
        }
    }

    /* A transfer that is acknowledged in the file once it is committed. */
    static void transfer(Connection c, Random r, int id, PrintStream acknowledged) throws SQLException {
        int a = r.nextInt(ACCOUNTS), b = r.nextInt(ACCOUNTS), sum = r.nextInt(10);
        try (PreparedStatement u = c.prepareStatement("update accounts set balance = balance + ? where id = ?");
             PreparedStatement d = c.prepareStatement("insert into done values (?, ?)")) {
            for (int i = 0; i < 2; i++) {
                boolean first = (i == 0) == (a < b);
                u.setInt(1, first ? sum : -sum);
                u.setInt(2, first ? a : b);
                u.executeUpdate();
            }
            d.setInt(1, id);
            d.setString(2, "transfer " + id + " " + "x".repeat(r.nextInt(100)));
            d.executeUpdate();
        }
        c.commit();
        synchronized (acknowledged) {
            acknowledged.println(id);
            acknowledged.flush();
        }
    }

    static void work(int threads, int from, int each) throws Exception {
        PrintStream acknowledged = new PrintStream(new FileOutputStream("acknowledged", true));
        AtomicInteger next = new AtomicInteger(from), lost = new AtomicInteger();
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int seed = t;
            all[t] = new Thread(() -> {
                Random r = new Random(seed);
                try (Connection c = open()) {
                    for (int i = 0; i < each;) {
                        try {
                            transfer(c, r, next.getAndIncrement(), acknowledged);
                            i++;
                        } catch (SQLException e) {       /* a deadlock, or the end of the server */
                            if (!c.isValid(5)) throw e;
                            c.rollback();
                        }
                    }
                } catch (SQLException e) {
                    lost.incrementAndGet();
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
        if (each < 1000000) System.out.println("worked " + threads * each + ", lost " + lost);
        else System.out.println("the server went: " + (lost.get() > 0));
    }

    static void check() throws Exception {
        Set<Integer> done = new TreeSet<>();
        try (Connection c = open(); Statement s = c.createStatement()) {
            try (ResultSet r = s.executeQuery("select sum(balance), count(*) from accounts")) {
                r.next();
                System.out.println("sum " + r.getInt(1) + " of " + r.getInt(2));
            }
            try (ResultSet r = s.executeQuery("select id from done")) {
                while (r.next()) done.add(r.getInt(1));
            }
            try (ResultSet r = s.executeQuery("select count(*) from done where text not like 'transfer %'")) {
                r.next();
                System.out.println("damaged " + r.getInt(1));
            }
            c.commit();
        }
        List<String> acknowledged = Files.readAllLines(Path.of("acknowledged"));
        System.out.println("acknowledged and gone: "
                           + acknowledged.stream().filter(l -> !done.contains(Integer.parseInt(l))).count());
    }

    public static void main(String[] a) throws Exception {
        url = a[1];
        user = a[2];
        if (a[0].equals("setup")) setUp();
        else if (a[0].equals("check")) check();
        else work(4, Integer.parseInt(a[3]), Integer.parseInt(a[4]));
    }
}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def bank(server, until, client, url, user="sa"):
    def run(r):
        port = free_port()
        fill = lambda words: [w.replace("PORT", str(port)) for w in words]
        tool = lambda *words: r.java("-cp", f"{client}:.", "Bank", words[0], fill([url])[0], user, *words[1:])
        r.command("javac Bank.java")
        process, _ = r.start(*fill(server), until=until)
        tool("setup")
        clients, _ = r.start("-cp", f"{client}:.", "Bank", "work", fill([url])[0], user, 0, 2000000, until="")
        file = r.work / "acknowledged"
        busy = wait_for(lambda: file.exists() and file.read_text().count("\n") >= 400)
        r.end(process, signal.SIGKILL)
        r.note(f"killed in the midst: {busy}; {r.end(clients, 0)}")
        process, _ = r.start(*fill(server), until=until)
        tool("check")
        tool("work", 1000000, 50)
        tool("check")
        r.end(process, signal.SIGTERM)
        process, _ = r.start(*fill(server), until=until)
        tool("check")
        r.end(process, signal.SIGTERM)
    return run


PROGRAMS = [
    Program("h2", "4 clients, kill -9, recovery",
            bank(["-cp", jars("h2"), "org.h2.tools.Server", "-tcp", "-tcpPort", "PORT", "-ifNotExists", "-baseDir",
                  "."], "TCP server running", jars("h2"), "jdbc:h2:tcp://localhost:PORT/./bank;WRITE_DELAY=0"),
            "acknowledged and gone: 0", ["libh2-java"], files={"Bank.java": BANK}),
    Program("hsqldb", "4 clients, kill -9, recovery",
            bank(["-cp", jars("hsqldb"), "org.hsqldb.server.Server", "--database.0",
                  "file:bank;hsqldb.write_delay=false;hsqldb.tx=mvcc", "--dbname.0", "bank", "--port", "PORT"],
                 "is online", jars("hsqldb"), "jdbc:hsqldb:hsql://localhost:PORT/bank"),
            "acknowledged and gone: 0", ["libhsqldb-java"], files={"Bank.java": BANK}),
    Program("derby", "4 clients, kill -9, recovery",
            bank(["-cp", jars("derby", "derbynet"), "-Dderby.system.home=.",
                  "org.apache.derby.drda.NetworkServerControl", "start", "-p", "PORT", "-noSecurityManager"],
                 "ready to accept connections", jars("derbyclient"), "jdbc:derby://localhost:PORT/bank;create=true",
                 user="app"),
            "acknowledged and gone: 0", ["libderby-java", "libderbyclient-java"], files={"Bank.java": BANK}),
]
