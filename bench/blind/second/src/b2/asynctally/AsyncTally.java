package b2.asynctally;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A sum that is kept by a thread of its own, so that adding to it never waits.
 *
 * <p>Thread-safe. {@link #total()} contains everything that was added before it was called. A
 * closed tally can still be read.
 */
public class AsyncTally implements AutoCloseable {
    private final ThreadPoolExecutor executor;

    /** Used by the executor's only thread, and by others after it has terminated. */
    private long sum;

    public AsyncTally() {
        executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "tally");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.prestartCoreThread();
    }

    /**
     * Adds a number.
     *
     * @throws IllegalStateException if the tally has been closed
     */
    public void add(long number) {
        try {
            executor.execute(() -> sum += number);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("closed", e);
        }
    }

    /** Returns the sum of the numbers added. */
    public long total() {
        try {
            try {
                return executor.submit(() -> sum).get();
            } catch (RejectedExecutionException e) {
                while (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                    Thread.onSpinWait();
                }
                return sum;
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Tells whether the tally has been closed. */
    public boolean isClosed() {
        return executor.isShutdown();
    }

    /** Closes the tally. Numbers added before are counted. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
