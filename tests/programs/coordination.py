"""ZooKeeper and ActiveMQ: servers of their own, clients, kill -9 in the midst of them, and what recovery has kept."""
import signal

from databases import free_port
from program import Program, jars, wait_for

NODES = """
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.apache.zookeeper.*;
import org.apache.zookeeper.data.*;

public class Nodes {
    static String address;

    static ZooKeeper open() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper z = new ZooKeeper(address, 30000, e -> {
            if (e.getState() == Watcher.Event.KeeperState.SyncConnected) connected.countDown();
        });
        if (!connected.await(60, TimeUnit.SECONDS)) throw new IOException("no connection");
        return z;
    }

    static String make(ZooKeeper z, String path, String data, CreateMode mode) throws Exception {
        return z.create(path, data.getBytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    static void use() throws Exception {
        try (ZooKeeper z = open(); ZooKeeper other = open()) {
            System.out.println(make(z, "/a", "one", CreateMode.PERSISTENT));
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            Watcher w = e -> events.add(e.getType() + " " + e.getPath());
            z.exists("/a", w);
            other.setData("/a", "two".getBytes(), 0);
            System.out.println(events.take());
            z.getChildren("/a", w);
            make(other, "/a/b", "", CreateMode.EPHEMERAL);
            System.out.println(events.take());
            z.exists("/a/b", w);
            other.close();
            System.out.println(events.take());
            Stat s = new Stat();
            System.out.println(new String(z.getData("/a", false, s)) + " version " + s.getVersion());
            try {
                z.setData("/a", new byte[0], 0);
            } catch (KeeperException e) {
                System.out.println(e.getMessage());
            }
            for (OpResult r : z.multi(List.of(Op.check("/a", 1), Op.delete("/a", 1),
                                              Op.create("/q", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE,
                                                        CreateMode.PERSISTENT))))
                System.out.println(r.getClass().getSimpleName());
            System.out.println("a: " + z.exists("/a", false));
        }
    }

    /* Four sessions that create, and delete every third node; what is acknowledged goes into a file. */
    static void work() throws Exception {
        PrintStream acknowledged = new PrintStream(new FileOutputStream("acknowledged", true), true);
        AtomicInteger ended = new AtomicInteger();
        Thread[] all = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            all[t] = new Thread(() -> {
                try {
                    ZooKeeper z = open();
                    for (int i = 0; ; i++) {
                        String made = make(z, "/q/n" + me + "-", "value " + i, CreateMode.PERSISTENT_SEQUENTIAL);
                        if (i % 3 == 0) z.delete(made, 0);
                        synchronized (acknowledged) { acknowledged.println((i % 3 == 0 ? "-" : "+") + made); }
                    }
                } catch (Exception e) {
                    ended.incrementAndGet();
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
        System.out.println("the server went: " + ended);
        System.exit(0);
    }

    static void check() throws Exception {
        try (ZooKeeper z = open()) {
            Set<String> there = new HashSet<>(z.getChildren("/q", false));
            int lost = 0, back = 0, damaged = 0;
            for (String line : Files.readAllLines(Path.of("acknowledged"))) {
                boolean has = there.contains(line.substring("+/q/".length()));
                if (line.startsWith("+") && !has) lost++;
                if (line.startsWith("-") && has) back++;
                if (has && !new String(z.getData(line.substring(1), false, null)).startsWith("value ")) damaged++;
            }
            System.out.println("acknowledged and gone: " + lost + ", deleted and back: " + back + ", damaged: "
                               + damaged);
        }
    }

    public static void main(String[] a) throws Exception {
        address = "localhost:" + a[1];
        if (a[0].equals("use")) use();
        else if (a[0].equals("work")) work();
        else check();
    }
}
"""
BROKER = """
import org.apache.activemq.broker.BrokerService;
public class Broker {
    public static void main(String[] a) throws Exception {
        BrokerService b = new BrokerService();
        b.setBrokerName("broker");
        b.setDataDirectory("data");
        b.setPersistent(true);
        b.setUseJmx(false);
        b.addConnector("tcp://localhost:" + a[0]);
        b.start();
        b.waitUntilStarted();
        System.out.println("SERVING");
        b.waitUntilStopped();
    }
}
"""
MESSAGES = """
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import javax.jms.*;
import org.apache.activemq.ActiveMQConnectionFactory;

public class Messages {
    static String url;

    static Session open(boolean transacted) throws JMSException {
        Connection c = new ActiveMQConnectionFactory(url).createConnection();
        c.start();
        return c.createSession(transacted, Session.AUTO_ACKNOWLEDGE);
    }

    /* A topic with two subscribers and a selector; a transaction that is rolled back, and one that is not. */
    static void use() throws Exception {
        Session s = open(false);
        Topic topic = s.createTopic("news");
        BlockingQueue<String> all = new LinkedBlockingQueue<>(), even = new LinkedBlockingQueue<>();
        s.createConsumer(topic).setMessageListener(m -> put(all, m));
        Session t = open(false);
        t.createConsumer(topic, "n % 2 = 0").setMessageListener(m -> put(even, m));
        Session u = open(false);
        MessageProducer p = u.createProducer(topic);
        for (int i = 0; i < 100; i++) {
            MapMessage m = u.createMapMessage();
            m.setString("text", "text " + i);
            m.setIntProperty("n", i);
            p.send(m);
        }
        int sum = 0, half = 0;
        for (int i = 0; i < 100; i++) sum = sum * 31 + all.take().hashCode();
        for (int i = 0; i < 50; i++) half = half * 31 + even.take().hashCode();
        System.out.println("topic " + sum + " " + half);
        Session x = open(true);
        javax.jms.Queue q = x.createQueue("orders");
        MessageProducer o = x.createProducer(q);
        o.send(x.createTextMessage("undone"));
        x.rollback();
        o.send(x.createTextMessage("done"));
        x.commit();
        MessageConsumer c = x.createConsumer(q);
        System.out.println(((TextMessage) c.receive()).getText());
        x.rollback();
        Message again = c.receive();
        System.out.println(((TextMessage) again).getText() + " again: " + again.getJMSRedelivered());
        x.commit();
        System.out.println("rest: " + c.receiveNoWait());
        System.exit(0);
    }

    static void put(BlockingQueue<String> q, Message m) {
        try {
            q.add(((MapMessage) m).getString("text"));
        } catch (JMSException e) {
            q.add(e.toString());
        }
    }

    static void send() throws Exception {
        PrintStream acknowledged = new PrintStream(new FileOutputStream("acknowledged", true), true);
        AtomicInteger ended = new AtomicInteger();
        Thread[] all = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            all[t] = new Thread(() -> {
                try {
                    Session s = open(false);
                    MessageProducer p = s.createProducer(s.createQueue("work"));
                    for (int i = 0; ; i++) {
                        String text = me + ":" + i;
                        p.send(s.createTextMessage(text));      /* persistent: it is on the disk when this returns */
                        synchronized (acknowledged) { acknowledged.println(text); }
                    }
                } catch (JMSException e) {
                    ended.incrementAndGet();
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
        System.out.println("the broker went: " + ended);
        System.exit(0);
    }

    static void check() throws Exception {
        Session s = open(false);
        Set<String> got = new HashSet<>();
        MessageProducer p = s.createProducer(s.createQueue("work"));
        p.send(s.createTextMessage("end"));
        MessageConsumer c = s.createConsumer(s.createQueue("work"));
        int twice = 0;
        for (String text; !(text = ((TextMessage) c.receive()).getText()).equals("end");)
            if (!got.add(text)) twice++;
        List<String> acknowledged = Files.readAllLines(Path.of("acknowledged"));
        System.out.println("acknowledged and gone: " + acknowledged.stream().filter(l -> !got.contains(l)).count()
                           + ", twice: " + twice);
        System.exit(0);
    }

    public static void main(String[] a) throws Exception {
        url = "tcp://localhost:" + a[1];
        if (a[0].equals("use")) use();
        else if (a[0].equals("send")) send();
        else check();
    }
}
"""
ZOOKEEPER = jars("zookeeper", "slf4j-nop")
ACTIVEMQ = jars("activemq-broker", "activemq-client", "activemq-kahadb-store", "activemq-openwire-legacy",
                "activemq-jaas", "activemq-protobuf", "geronimo-jms_1.1_spec", "geronimo-j2ee-management-1.1-spec",
                "hawtbuf", "slf4j-api", "slf4j-nop", "jackson-core", "jackson-databind", "jackson-annotations")


def recovered(path, compiled, main, busy, server, until):
    def run(r):
        port = free_port()
        serve = lambda: r.start("-cp", f"{path}:.", *(w.replace("PORT", str(port)) for w in server), until=until)[0]
        client = lambda what: r.java("-cp", f"{path}:.", main, what, port)
        r.command(["javac", "-cp", path, *compiled])
        process = serve()
        client("use")
        clients, _ = r.start("-cp", f"{path}:.", main, busy, port, until="")
        file = r.work / "acknowledged"
        started = wait_for(lambda: file.exists() and file.read_text().count("\n") >= 400)
        r.end(process, signal.SIGKILL)
        r.note(f"killed in the midst: {started}; {r.end(clients, 0)}")
        process = serve()
        client("check")
        r.end(process, signal.SIGTERM)
    return run


PROGRAMS = [
    Program("zookeeper", "creates, watches, deletes, 4 clients, kill -9, recovery",
            recovered(ZOOKEEPER, ["Nodes.java"], "Nodes", "work",
                      ["-Dzookeeper.admin.enableServer=false", "org.apache.zookeeper.server.ZooKeeperServerMain",
                       "PORT", "data"], until=""),
            "acknowledged and gone: 0, deleted and back: 0, damaged: 0", ["libzookeeper-java", "libslf4j-java"],
            files={"Nodes.java": NODES}),
    Program("activemq", "topics, selectors, transactions; 4 senders, kill -9, recovery",
            recovered(ACTIVEMQ, ["Broker.java", "Messages.java"], "Messages", "send", ["Broker", "PORT"], "SERVING"),
            "acknowledged and gone: 0", ["libactivemq-java", "activemq", "libslf4j-java"],
            files={"Broker.java": BROKER, "Messages.java": MESSAGES}),
]
