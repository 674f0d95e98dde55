import javax.management.MXBean;

/** What a Managed can be told to do. */
@MXBean
public interface ManagedWork {
    void startThreads(int count, boolean daemon);
    void endThreads();
    /** {id, milliseconds of processor time as the kernel says}: a new thread that has computed that long. */
    long[] compute(long millis);
    /** The id of a new thread that was blocked and has waited that many times. */
    long contend(int blocked, int waited);
    /** The id of a new thread that has allocated that many bytes, in arrays of a page. */
    long allocate(long bytes);
    /** Defines a class that many times, each by a loader of its own; hot: runs a method of each often. */
    void loadClasses(int count, boolean hot);
    void dropClasses();
    void collect(int times);
    void hold(int mebibytes);
    void drop();
    void buffers(int direct, int mapped, int bytes);
    void dropBuffers();
    void openFiles(int count);
    void closeFiles();
    /** Two threads that wait for each other for ever; their ids. */
    long[] deadlock();
    int getWords();
    void setWords(int n);
}
