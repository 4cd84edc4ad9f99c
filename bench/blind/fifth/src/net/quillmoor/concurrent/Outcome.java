package net.quillmoor.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The result of some work, set once and waited for by any number of threads.
 *
 * <p>Thread-safe. Callbacks run exactly once and never while a lock is held: on the thread that sets
 * the result or, if it is set already, on the thread that adds the callback. No order is promised
 * between callbacks, nor between callbacks and waiting threads. An exception thrown by a callback is
 * handed to the thread's uncaught exception handler.
 *
 * @param <T> the type of the result
 */
public final class Outcome<T> {

    private final Object monitor = new Object();
    private T result;
    private List<Consumer<? super T>> callbacks = new ArrayList<>();

    /** Creates an outcome that is not set. */
    public Outcome() {
    }

    /**
     * Sets the result.
     *
     * @return false if it had been set before; it stays as it was
     */
    public boolean set(T value) {
        Objects.requireNonNull(value, "value");
        List<Consumer<? super T>> toRun;
        synchronized (monitor) {
            if (result != null) {
                return false;
            }
            result = value;
            toRun = callbacks;
            callbacks = null;
            monitor.notifyAll();
        }
        for (Consumer<? super T> callback : toRun) {
            run(callback, value);
        }
        return true;
    }

    /** Adds a callback that gets the result. */
    public void onSet(Consumer<? super T> callback) {
        Objects.requireNonNull(callback, "callback");
        T value;
        synchronized (monitor) {
            value = result;
            if (value == null) {
                callbacks.add(callback);
                return;
            }
        }
        run(callback, value);
    }

    /** Returns the result if it has been set. */
    public Optional<T> now() {
        synchronized (monitor) {
            return Optional.ofNullable(result);
        }
    }

    /**
     * Waits for the result.
     *
     * @throws InterruptedException if interrupted before the result was there
     */
    public T await() throws InterruptedException {
        synchronized (monitor) {
            while (result == null) {
                monitor.wait();
            }
            return result;
        }
    }

    /**
     * Waits for the result for a limited time.
     *
     * @return the result, or nothing if the time ran out
     * @throws InterruptedException if interrupted before the result was there
     */
    public Optional<T> await(long timeout, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        synchronized (monitor) {
            while (result == null) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                TimeUnit.NANOSECONDS.timedWait(monitor, left);
            }
            return Optional.of(result);
        }
    }

    private static <T> void run(Consumer<? super T> callback, T value) {
        try {
            callback.accept(value);
        } catch (RuntimeException e) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, e);
        }
    }
}
