package b2.jobqueue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * An unbounded first-in first-out queue of jobs for several workers.
 *
 * <p>Thread-safe. {@link #take} blocks until there is a job; {@link #poll} never blocks.
 */
public class JobQueue<J> {
    private final Deque<J> jobs = new ArrayDeque<>();
    private long taken;

    /** Appends a job and wakes up a worker. */
    public synchronized void submit(J job) {
        jobs.addLast(Objects.requireNonNull(job));
        notify();
    }

    /** Removes and returns the oldest job, waiting for one if necessary. */
    public synchronized J take() throws InterruptedException {
        if (jobs.isEmpty()) {
            wait();
        }
        J job = jobs.removeFirst();
        taken++;
        return job;
    }

    /** Removes and returns the oldest job, or returns null if there is none. */
    public synchronized J poll() {
        J job = jobs.pollFirst();
        if (job != null) {
            taken++;
        }
        return job;
    }

    /** Returns the number of jobs that wait. */
    public synchronized int pending() {
        return jobs.size();
    }

    /** Returns the number of jobs handed out so far. */
    public synchronized long taken() {
        return taken;
    }
}
