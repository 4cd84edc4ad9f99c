package app.worker;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs submitted tasks one after the other on a thread of its own. The worker can be paused and
 * resumed, and finally stopped.
 *
 * <p>All methods may be called from any thread. Tasks submitted while the worker is not paused, or is
 * resumed later, are run in the order of submission. A task already picked up when {@link #pause} is
 * called may still run. {@link #stop} interrupts the running task and discards those not yet begun.
 */
public class PausableWorker {
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final AtomicInteger failures = new AtomicInteger();
    private final Object gate = new Object();
    private volatile boolean paused;
    private volatile boolean stopped;
    private Thread thread;

    /**
     * Starts the worker; has no effect if it is running.
     *
     * @throws IllegalStateException if the worker was stopped
     */
    public synchronized void start() {
        if (stopped) {
            throw new IllegalStateException("stopped");
        }
        if (thread == null) {
            thread = new Thread(this::loop, "pausable-worker");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Hands over a task.
     *
     * @throws IllegalStateException if the worker was stopped
     */
    public void submit(Runnable task) {
        Objects.requireNonNull(task);
        if (stopped) {
            throw new IllegalStateException("stopped");
        }
        inbox.add(task);
    }

    /** Makes the worker hold before the next task. */
    public void pause() {
        paused = true;
    }

    /** Lets the worker go on. */
    public void resume() {
        paused = false;
        synchronized (gate) {
            gate.notifyAll();
        }
    }

    /** Stops the worker for good; has no effect when repeated. */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (thread == null) {
            terminated.countDown();
        } else {
            thread.interrupt();
        }
    }

    /** Waits until the worker has ended after a stop; returns whether it has. */
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return terminated.await(timeout, unit);
    }

    /** Returns how many tasks have ended with an exception. */
    public int failures() {
        return failures.get();
    }

    private void loop() {
        try {
            while (!stopped) {
                Runnable task = inbox.take();
                while (paused) {
                    synchronized (gate) {
                        gate.wait();
                    }
                }
                if (stopped) {
                    return;
                }
                runSafely(task);
            }
        } catch (InterruptedException e) {
            // interrupted by stop()
        } finally {
            inbox.clear();
            terminated.countDown();
        }
    }

    private void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failures.incrementAndGet();
        } finally {
            if (!stopped) {
                Thread.interrupted();
            }
        }
    }
}
