// java.util.logging: levels, handlers, formatters, filters, parents, configuration from text, platform logger.
import java.io.*;
import java.util.logging.*;

public class Logging {
    public static void main(String[] args) throws Exception {
        Logger root = Logger.getLogger(""), a = Logger.getLogger("a"), ab = Logger.getLogger("a.b");
        for (Handler h : root.getHandlers()) root.removeHandler(h);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Formatter plain = new Formatter() {
            @Override
            public String format(LogRecord r) {
                return r.getLevel() + "|" + r.getLoggerName() + "|" + formatMessage(r) + "|"
                    + (r.getThrown() == null ? "" : r.getThrown()) + "|" + r.getSourceMethodName() + "\n";
            }
        };
        StreamHandler h = new StreamHandler(out, plain);
        h.setLevel(Level.ALL);
        root.addHandler(h);
        ab.setLevel(Level.FINE);
        a.setLevel(Level.WARNING);
        ab.fine("fine {0}");
        ab.finer("hidden");
        a.info("hidden");
        a.warning("warn");
        ab.log(Level.SEVERE, "params {0} and {1}", new Object[] {1, "two"});
        ab.log(Level.INFO, "thrown", new IllegalStateException("x"));
        ab.log(Level.INFO, () -> "supplied");
        ab.entering("C", "m", 5);
        ab.throwing("C", "m", new Error("e"));
        a.logp(Level.SEVERE, "Cls", "meth", "precise");
        ab.setFilter(r -> !r.getMessage().contains("secret"));
        ab.info("secret");
        ab.setUseParentHandlers(false);
        ab.info("not passed on");
        ab.setUseParentHandlers(true);
        System.Logger sl = System.getLogger("sys");
        sl.log(System.Logger.Level.WARNING, "platform {0}", "logger");
        sl.log(System.Logger.Level.DEBUG, "hidden");
        h.flush();
        System.out.print(out);
        System.out.println(ab.getParent().getName() + " " + a.getLevel() + " " + ab.isLoggable(Level.FINE)
                           + ab.isLoggable(Level.FINER) + " " + Level.parse("800") + Level.parse("CONFIG").intValue()
                           + Logger.getLogger("a.b").equals(ab) + " " + Logger.getAnonymousLogger().getName());
        try {
            Level.parse("NOPE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        MemoryHandler mem = new MemoryHandler(new StreamHandler(System.out, plain) {
            @Override
            public synchronized void publish(LogRecord r) {
                super.publish(r);
                flush();
            }
        }, 3, Level.SEVERE);
        for (int i = 0; i < 5; i++) mem.publish(new LogRecord(Level.INFO, "mem" + i));
        mem.publish(new LogRecord(Level.SEVERE, "push"));
        LogManager.getLogManager().readConfiguration(
            new ByteArrayInputStream("handlers=\n.level=SEVERE\ncfg.level=FINEST\n".getBytes()));
        System.out.println(Logger.getLogger("cfg.x").isLoggable(Level.FINEST) + " "
                           + Logger.getLogger("other").isLoggable(Level.INFO) + " " + root.getHandlers().length);
        SimpleFormatter sf = new SimpleFormatter();
        LogRecord r = new LogRecord(Level.WARNING, "simple {0}");
        r.setParameters(new Object[] {"fmt"});
        r.setInstant(java.time.Instant.EPOCH);
        r.setLoggerName("n");
        r.setSourceClassName("C");
        r.setSourceMethodName("m");
        System.out.println(sf.format(r).lines().skip(1).toList());
        XMLFormatter x = new XMLFormatter();
        r.setThrown(null);
        System.out.println(x.format(r).contains("<message>simple fmt</message>"));
        Logger def = Logger.getLogger("to.stderr");
        ConsoleHandler ch = new ConsoleHandler();
        ch.setFormatter(plain);
        def.addHandler(ch);
        def.setLevel(Level.ALL);
        def.severe("to standard error");
    }
}
