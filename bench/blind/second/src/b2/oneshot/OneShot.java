package b2.oneshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A result that is set once, with blocking readers and callbacks.
 *
 * <p>Thread-safe. Each callback is called exactly once: by the thread that sets the result, or at
 * once if the result is there already. Callbacks are called in no particular order and without
 * locks; they may still be running in the setting thread when other threads see the result. They
 * must not throw.
 */
public class OneShot<T> {
    private final Object lock = new Object();
    private List<Consumer<? super T>> callbacks = new ArrayList<>();
    private T result;

    /** Sets the result; returns false if it had been set before. */
    public boolean set(T value) {
        Objects.requireNonNull(value);
        List<Consumer<? super T>> toCall;
        synchronized (lock) {
            if (result != null) {
                return false;
            }
            result = value;
            toCall = callbacks;
            callbacks = null;
            lock.notifyAll();
        }
        for (Consumer<? super T> callback : toCall) {
            callback.accept(value);
        }
        return true;
    }

    /** Calls the callback with the result as soon as there is one. */
    public void whenSet(Consumer<? super T> callback) {
        Objects.requireNonNull(callback);
        T value;
        synchronized (lock) {
            if (result == null) {
                callbacks.add(callback);
                return;
            }
            value = result;
        }
        callback.accept(value);
    }

    /** Waits for the result. */
    public T await() throws InterruptedException {
        synchronized (lock) {
            while (result == null) {
                lock.wait();
            }
            return result;
        }
    }

    /** Waits for the result for a limited time; returns null if there was none in time. */
    public T await(long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        synchronized (lock) {
            while (result == null) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                lock.wait(left / 1_000_000 + 1);
            }
            return result;
        }
    }

    /** Returns the result, or null if it has not been set. */
    public T peek() {
        synchronized (lock) {
            return result;
        }
    }
}
