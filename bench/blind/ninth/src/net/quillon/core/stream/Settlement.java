package net.quillon.core.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The outcome of an operation that is settled once, with a value or a failure. Each callback is
 * called once; no order among callbacks is guaranteed.
 *
 * @param <T> the value type
 */
public final class Settlement<T> {

    private final Object lock = new Object();
    private List<BiConsumer<? super T, ? super Throwable>> callbacks = new ArrayList<>();
    private boolean settled;
    private T value;
    private Throwable failure;

    /** Settles with a value; returns {@code false} if settled before. */
    public boolean succeed(T result) {
        return settle(result, null);
    }

    /** Settles with a failure; returns {@code false} if settled before. */
    public boolean fail(Throwable cause) {
        return settle(null, Objects.requireNonNull(cause));
    }

    /** Has the callback called with the value or the failure as soon as there is one. */
    public void whenSettled(BiConsumer<? super T, ? super Throwable> callback) {
        Objects.requireNonNull(callback);
        synchronized (lock) {
            if (!settled) {
                callbacks.add(callback);
                return;
            }
        }
        call(callback);
    }

    public boolean isSettled() {
        synchronized (lock) {
            return settled;
        }
    }

    /** Waits for the outcome; returns whether there is one. */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        synchronized (lock) {
            while (!settled) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
            return true;
        }
    }

    private boolean settle(T result, Throwable cause) {
        List<BiConsumer<? super T, ? super Throwable>> toCall;
        synchronized (lock) {
            if (settled) {
                return false;
            }
            settled = true;
            value = result;
            failure = cause;
            toCall = callbacks;
            callbacks = null;
            lock.notifyAll();
        }
        for (BiConsumer<? super T, ? super Throwable> callback : toCall) {
            call(callback);
        }
        return true;
    }

    private void call(BiConsumer<? super T, ? super Throwable> callback) {
        try {
            callback.accept(value, failure);
        } catch (RuntimeException e) {
            System.getLogger(Settlement.class.getName())
                    .log(System.Logger.Level.WARNING, "callback failed", e);
        }
    }
}
