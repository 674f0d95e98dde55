// Thread life: names, states, priorities, groups, daemon flags, join, interrupt status, inheritance, illegal calls.
import java.util.concurrent.CountDownLatch;

public class ThreadBasics {
    static void await(Thread t, Thread.State s) {
        while (t.getState() != s) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.isDaemon() + " " + main.isAlive()
                           + " " + main.getState() + " " + main.getThreadGroup().getName() + " "
                           + main.getThreadGroup().getParent().getName() + " "
                           + main.getThreadGroup().getParent().getParent() + " " + main);
        Thread t = new Thread(() -> System.out.println("runs in " + Thread.currentThread().getName()), "worker");
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getName());
        t.start();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getThreadGroup());
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println(e);
        }
        CountDownLatch go = new CountDownLatch(1);
        Object lock = new Object();
        Thread waiting = new Thread(() -> { synchronized (lock) { try { lock.wait();
    }
    catch (InterruptedException e) {
        System.out.println("wait interrupted " + Thread.currentThread().isInterrupted());
    }
}
});
waiting.start();
await(waiting, Thread.State.WAITING);
        Thread blocked = new Thread(() -> { synchronized (lock) { System.out.println("entered");
        }
        });
        synchronized (lock) {
            blocked.start();
            await(blocked, Thread.State.BLOCKED);
            System.out.println(blocked.getState());
        }
        blocked.join();
        waiting.interrupt();
        waiting.join();
        Thread sleeping = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println(e.getMessage());
            }
        });
        sleeping.start();
        await(sleeping, Thread.State.TIMED_WAITING);
        sleeping.interrupt();
        sleeping.join();
        Thread joining = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                System.out.println("join interrupted");
            }
        });
        joining.start();
        await(joining, Thread.State.WAITING);
        joining.interrupt();
        joining.join();
        Thread.currentThread().interrupt();
        System.out.println(Thread.currentThread().isInterrupted() + " " + Thread.interrupted() + " "
                           + Thread.interrupted());
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            System.out.println(e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            System.out.println("await " + Thread.interrupted());
        }
        ThreadGroup g = new ThreadGroup("group");
        g.setMaxPriority(3);
        Thread inGroup = new Thread(g, () -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }, "member");
        inGroup.setDaemon(true);
        inGroup.setPriority(10);
        inGroup.start();
        System.out.println(inGroup.getPriority() + " " + inGroup.isDaemon() + " " + g.activeCount() + " "
                           + inGroup.getThreadGroup().getName() + " " + g.parentOf(g) + " " + g.getParent().getName()
                           + " " + g);
        Thread[] list = new Thread[4];
        System.out.println(g.enumerate(list) + " " + list[0].getName());
        try {
            inGroup.setDaemon(false);
        } catch (IllegalThreadStateException e) {
            System.out.println("alive");
        }
        try {
            inGroup.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println("priority");
        }
        go.countDown();
        inGroup.join();
        InheritableThreadLocal<String> inh = new InheritableThreadLocal<>();
        ThreadLocal<String> plain = ThreadLocal.withInitial(() -> "initial");
        inh.set("from parent");
        plain.set("mine");
        Thread child = new Thread(() -> {
            System.out.println(inh.get() + " " + plain.get());
            inh.set("child");
            plain.remove();
            System.out.println(plain.get());
        });
        child.start();
        child.join();
        System.out.println(inh.get() + " " + plain.get());
        System.out.println(Thread.holdsLock(lock) + " " + Thread.getAllStackTraces().containsKey(main) + " "
                           + Thread.activeCount() + " " + (main.getId() == 1) + " "
                           + new Thread().getName().startsWith("Thread-"));
        try {
            t.join(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Thread.sleep(0, 1_000_000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Thread((String) null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        t.join(5);
        Thread.yield();
        Thread.sleep(1);
        Thread.sleep(0, 1);
        class Sub extends Thread {
            int v;
            @Override
            public void run() {
                v = 42;
            }
        }
        Sub s = new Sub();
        s.start();
        s.join();
        System.out.println(s.v);
        s.run();
        s.interrupt();
        System.out.println(s.isInterrupted() + " " + s.isAlive());
        }
        }
