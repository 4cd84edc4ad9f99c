package shop.jobs;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import shop.common.Service;

/**
 * Keeps track of the background jobs that are running, so that a shutdown can wait for them.
 *
 * <p>This class is thread-safe.
 */
@Service
public class JobTracker {

    private final Map<Long, String> running = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final AtomicLong finished = new AtomicLong();
    private final Object idle = new Object();

    /**
     * Notes that a job starts.
     *
     * @param name describes the job
     * @return the job's number, to be passed to {@link #finish}
     */
    public long start(String name) {
        Objects.requireNonNull(name, "name");
        long id = nextId.getAndIncrement();
        running.put(id, name);
        return id;
    }

    /**
     * Notes that a job has ended.
     *
     * @return false if no such job is running
     */
    public boolean finish(long id) {
        if (running.remove(id) == null) {
            return false;
        }
        finished.incrementAndGet();
        if (running.isEmpty()) {
            synchronized (idle) {
                idle.notifyAll();
            }
        }
        return true;
    }

    /** Runs a job in the calling thread, noting its start and end. */
    public <T> T track(String name, Callable<T> job) throws Exception {
        long id = start(name);
        try {
            return job.call();
        } finally {
            finish(id);
        }
    }

    /** Waits until no job is running. Returns at once if there is none. */
    public void awaitIdle() throws InterruptedException {
        while (!running.isEmpty()) {
            synchronized (idle) {
                idle.wait();
            }
        }
    }

    /** Tells whether no job is running. */
    public boolean isIdle() {
        return running.isEmpty();
    }

    /** Returns a sorted copy of the names of the running jobs. */
    public Set<String> runningJobs() {
        return new TreeSet<>(running.values());
    }

    /** Returns how many jobs have ended. */
    public long finishedCount() {
        return finished.get();
    }
}
