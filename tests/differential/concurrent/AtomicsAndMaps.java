// Atomic classes, field updaters, adders, and the concurrent collections under several threads with exact totals.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class AtomicsAndMaps {
    volatile int vi;
    volatile long vl;
    volatile String vs = "s";
    int plain;
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
    static void parallel(int n, Runnable r) throws InterruptedException {
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) {
            ts[i] = new Thread(r);
            ts[i].start();
        }
        for (Thread x : ts) x.join();
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger(5);
        AtomicLong l = new AtomicLong();
        AtomicBoolean z = new AtomicBoolean();
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.addAndGet(10) + " "
                           + i.getAndUpdate(x -> x * 2) + " " + i.accumulateAndGet(3, Math::max) + " "
                           + i.compareAndSet(34, 1) + " " + i + " " + i.getAndSet(9) + i.decrementAndGet() + " "
                           + i.compareAndExchange(8, 4) + i.getPlain());
        System.out.println(l.addAndGet(1L << 40) + " " + l.updateAndGet(x -> - x) + " " + z.compareAndSet(false, true)
                           + z.getAndSet(false) + z + " " + r.getAndSet("b") + r.compareAndSet("b", "c")
                           + r.accumulateAndGet("d", String::concat) + r.getAcquire());
        AtomicIntegerArray ia = new AtomicIntegerArray(3);
        AtomicLongArray la = new AtomicLongArray(new long[] {1, 2});
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(2);
        ia.addAndGet(1, 5);
        ia.getAndAccumulate(1, 7, Math::max);
        la.incrementAndGet(0);
        ra.set(0, "x");
        System.out.println(ia + " " + la + " " + ra + " " + ra.compareAndSet(0, "x", "y") + ra.get(0));
        t(() -> ia.get(3));
        t(() -> ra.getAndSet(-1, "z"));
        AtomicIntegerFieldUpdater<AtomicsAndMaps> fi = AtomicIntegerFieldUpdater.newUpdater(AtomicsAndMaps.class, "vi");
        AtomicLongFieldUpdater<AtomicsAndMaps> fl = AtomicLongFieldUpdater.newUpdater(AtomicsAndMaps.class, "vl");
        AtomicReferenceFieldUpdater<AtomicsAndMaps, String> fs =
            AtomicReferenceFieldUpdater.newUpdater(AtomicsAndMaps.class, String.class, "vs");
        AtomicsAndMaps o = new AtomicsAndMaps();
        System.out.println(fi.incrementAndGet(o) + " " + fi.getAndAdd(o, 5) + " " + fl.addAndGet(o, 7) + " "
                           + fs.getAndSet(o, "t") + " " + fs.compareAndSet(o, "t", "u") + o.vs + o.vi + o.vl);
        t(() -> AtomicIntegerFieldUpdater.newUpdater(AtomicsAndMaps.class, "plain"));
        t(() -> AtomicIntegerFieldUpdater.newUpdater(AtomicsAndMaps.class, "none").hashCode() == 0);
        t(() -> AtomicLongFieldUpdater.newUpdater(AtomicsAndMaps.class, "vi"));
        t(() -> fi.get(null));
        AtomicStampedReference<String> st = new AtomicStampedReference<>("s", 1);
        AtomicMarkableReference<String> mk = new AtomicMarkableReference<>("m", false);
        System.out.println(st.compareAndSet("s", "t", 1, 2) + " " + st.compareAndSet("t", "u", 1, 3) + st.getStamp()
                           + st.getReference() + " " + mk.attemptMark("m", true) + mk.isMarked());
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        DoubleAdder da = new DoubleAdder();
        AtomicInteger shared = new AtomicInteger();
        parallel(6, () -> {
            for (int k = 0; k < 400; k++) {
                adder.increment();
                max.accumulate(k);
                da.add(0.5);
                shared.incrementAndGet();
                fl.incrementAndGet(o);
            }
        });
        System.out.println(adder + " " + max + " " + da + " " + shared + " " + o.vl);
        ConcurrentHashMap<String, Integer> chm = new ConcurrentHashMap<>();
        ConcurrentSkipListMap<Integer, Integer> skip = new ConcurrentSkipListMap<>();
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>();
        ConcurrentLinkedQueue<Integer> clq = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedDeque<Integer> cld = new ConcurrentLinkedDeque<>();
        parallel(5, () -> {
            for (int k = 0; k < 200; k++) {
                chm.merge("k" + k % 20, 1, Integer::sum);
                skip.compute(k % 30, (a, b) -> b == null ? 1 : b + 1);
                if (k % 20 == 0) cow.add(k);
                clq.add(k);
                cld.addFirst(k);
            }
        });
        System.out.println(new TreeMap<>(chm) + " " + skip + " " + cow.size() + " " + clq.size() + " " + cld.size()
                           + " " + clq.stream().mapToInt(x -> x).sum());
        System.out.println(chm.reduceValuesToInt(1, x -> x, 0, Integer::sum) + " "
                           + chm.search(1, (k, v) -> k.equals("k7") ? v : null) + " "
                           + chm.computeIfAbsent("new", String::length) + chm.computeIfPresent("new", (k, v) -> null)
                           + chm.putIfAbsent("k1", 5) + chm.replace("k1", 50, 1) + chm.getOrDefault("zz", -1) + " "
                           + chm.mappingCount() + " " + skip.ceilingKey(29) + skip.headMap(3)
                           + skip.descendingMap().firstKey() + skip.pollFirstEntry());
        t(() -> chm.computeIfAbsent("outer", k -> chm.computeIfAbsent("outer", j -> 1)));
        t(() -> chm.put(null, 1));
        Iterator<Integer> it = cow.iterator();
        cow.clear();
        int seen = 0;
        while (it.hasNext()) {
            it.next();
            seen++;
        }
        System.out.println(seen);
        t(() -> {
            cow.add(1);
            Iterator<Integer> j = cow.iterator();
            j.next();
            j.remove();
            return 0;
        });
        t(() -> {
            List<Integer> al = new ArrayList<>(List.of(1, 2));
            for (Integer x : al) al.add(x);
            return 0;
        });
        ConcurrentHashMap<Integer, Integer> grow = new ConcurrentHashMap<>(2);
        AtomicInteger next = new AtomicInteger();
        parallel(4, () -> {
            for (int k; (k = next.getAndIncrement()) < 4000;) grow.put(k * 65537, k);
        });
        long s = 0;
        for (int v : grow.values()) s += v;
        System.out.println(grow.size() + " " + s);
        ThreadLocalRandom tlr = ThreadLocalRandom.current();
        System.out.println(tlr.nextInt(5, 6) + " " + (tlr.nextInt(10) < 10));
        Timer timer = new Timer("timer", true);
        CountDownLatch ran = new CountDownLatch(2);
        TimerTask task = new TimerTask() {
            public void run() { ran.countDown(); }
        };
        timer.schedule(task, 0, 1);
        ran.await();
        System.out.println(task.cancel());
        timer.cancel();
        t(() -> {
            timer.schedule(new TimerTask() {
                public void run() {}
            }, 1);
            return 0;
        });
    }
}
