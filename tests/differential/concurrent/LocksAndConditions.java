// ReentrantLock, Condition, ReadWriteLock, StampedLock and Semaphore, fair and unfair, with their complaints.
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class LocksAndConditions {
    static int shared;
    static String strip(Object o) { return o.toString().replaceAll("@[0-9a-f]+", "@"); }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread[] ts = new Thread[6];
        for (int i = 0; i < 6; i++) {
            ts[i] = new Thread(() -> {
                for (int k = 0; k < 200; k++) {
                    lock.lock();
                    try {
                        lock.lock();
                        shared++;
                        lock.unlock();
                    } finally {
                        lock.unlock();
                    }
                }
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(shared + " " + lock.isLocked() + " " + strip(lock));
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        Condition c = lock.newCondition();
        try {
            c.await();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        try {
            c.signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        int[] state = new int[1];
        Thread w = new Thread(() -> {
            lock.lock();
            try {
                while (state[0] == 0) c.await();
                state[0] = 2;
                c.signalAll();
            } catch (InterruptedException e) {
                throw new Error(e);
            } finally {
                lock.unlock();
            }
        });
        w.start();
        for (;;) {
            lock.lock();
            try {
                if (lock.hasWaiters(c)) {
                    state[0] = 1;
                    c.signal();
                    while (state[0] != 2) c.await();
                    break;
                }
            } finally {
                lock.unlock();
            }
        }
        w.join();
        lock.lock();
        System.out.println(lock.getHoldCount() + " " + lock.isHeldByCurrentThread() + " "
                           + c.await(1, TimeUnit.NANOSECONDS) + " " + (c.awaitNanos(1) <= 0) + " " + lock.tryLock()
                           + " " + lock.getHoldCount());
        Thread blocked = new Thread(() -> {
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            try {
                System.out.println(lock.tryLock() + " " + lock.tryLock(1, TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        blocked.start();
        while (!lock.hasQueuedThread(blocked)) Thread.onSpinWait();
        System.out.println(lock.getQueueLength());
        blocked.interrupt();
        blocked.join();
        lock.unlock();
        lock.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock(true);
        rw.readLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.writeLock().tryLock() + " " + rw.getReadHoldCount() + " "
                           + rw.isFair());
        rw.readLock().unlock();
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.isWriteLocked() + " " + rw.getReadLockCount() + " " + strip(rw));
        rw.readLock().unlock();
        try {
            rw.readLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            rw.readLock().newCondition();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        StampedLock st = new StampedLock();
        long opt = st.tryOptimisticRead();
        System.out.println(st.validate(opt));
        long ws = st.writeLock();
        System.out.println(st.validate(opt) + " " + st.tryReadLock() + " " + st.isWriteLocked() + " "
                           + StampedLock.isWriteLockStamp(ws));
        long rs = st.tryConvertToReadLock(ws);
        System.out.println((rs != 0) + " " + st.getReadLockCount() + " " + (st.tryConvertToWriteLock(rs) != 0));
        try {
            st.unlockRead(5);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e);
        }
        int[] data = new int[2];
        StampedLock s2 = new StampedLock();
        Thread[] rs2 = new Thread[4];
        int[] torn = new int[1];
        for (int i = 0; i < 4; i++) {
            int id = i;
            rs2[i] = new Thread(() -> {
                for (int k = 0; k < 200; k++) {
                    if (id < 2) {
                        long s = s2.writeLock();
                        data[0]++;
                        data[1]++;
                        s2.unlockWrite(s);
                    } else {
                        long s = s2.tryOptimisticRead();
                        int a = data[0], b = data[1];
                        if (!s2.validate(s)) {
                            s = s2.readLock();
                            a = data[0];
                            b = data[1];
                            s2.unlockRead(s);
                        }
                        if (a != b) torn[0]++;
                    }
                }
            });
            rs2[i].start();
        }
        for (Thread t : rs2) t.join();
        System.out.println(data[0] + " " + data[1] + " " + torn[0]);
        Semaphore sem = new Semaphore(2, true);
        sem.acquire();
        System.out.println(sem.tryAcquire() + " " + sem.tryAcquire() + " " + sem.availablePermits());
        Thread ac = new Thread(() -> {
            sem.acquireUninterruptibly(2);
            System.out.println("got both");
        });
        ac.start();
        while (!sem.hasQueuedThreads()) Thread.onSpinWait();
        sem.release();
        sem.release();
        ac.join();
        System.out.println(sem.availablePermits() + " " + sem.drainPermits() + " " + strip(sem));
    }
}
