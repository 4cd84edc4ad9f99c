package b2.deferredrunner;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Collects tasks that are run later, by {@link #runPending()} or at the latest by {@link #close()}.
 *
 * <p>Thread-safe. Every task that has been accepted is run exactly once: a task for which
 * {@link #submit} returned true is lost under no circumstances.
 */
public class DeferredRunner implements AutoCloseable {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger executed = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Accepts a task.
     *
     * @return false if the runner has been closed
     */
    public boolean submit(Runnable task) {
        if (task == null) {
            throw new NullPointerException("task");
        }
        if (closed) {
            return false;
        }
        tasks.add(task);
        return true;
    }

    /**
     * Runs the pending tasks.
     *
     * @throws IllegalStateException if the runner has been closed
     */
    public synchronized void runPending() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        drain();
    }

    /** Accepts no more tasks and runs the pending ones. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            drain();
        }
    }

    /**
     * Returns the number of tasks that have been started. While {@link #runPending()} or
     * {@link #close()} is running in another thread, it may have more tasks to start.
     */
    public int executed() {
        return executed.get();
    }

    private void drain() {
        Runnable task;
        while ((task = tasks.poll()) != null) {
            executed.incrementAndGet();
            task.run();
        }
    }
}
