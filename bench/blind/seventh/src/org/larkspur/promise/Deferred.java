package org.larkspur.promise;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A value that will be available later.
 *
 * <p>A deferred is completed at most once. Callbacks may be registered before and after completion;
 * each of them is called exactly once, either by the thread that completes the deferred or by the
 * one that registers the callback. Callbacks run without any lock being held and in no particular
 * order between threads. An exception thrown by a callback is passed to the uncaught exception
 * handler of the thread that runs it.
 *
 * @param <T> the type of the value
 */
public final class Deferred<T> {

    private static final class Node<T> {
        final Consumer<? super T> callback;
        Node<T> next;

        Node(Consumer<? super T> callback) {
            this.callback = callback;
        }
    }

    private static final class Done<T> {
        final T value;

        Done(T value) {
            this.value = value;
        }
    }

    /** Null, a {@link Node}, or a {@link Done}. */
    private final AtomicReference<Object> state = new AtomicReference<>();

    /**
     * Completes this deferred.
     *
     * @param value the value, may be null
     * @return false if it had been completed before
     */
    @SuppressWarnings("unchecked")
    public boolean complete(T value) {
        Done<T> done = new Done<>(value);
        Object current;
        do {
            current = state.get();
            if (current instanceof Done) {
                return false;
            }
        } while (!state.compareAndSet(current, done));

        Node<T> reversed = null;
        Node<T> node = (Node<T>) current;
        while (node != null) {
            Node<T> next = node.next;
            node.next = reversed;
            reversed = node;
            node = next;
        }
        for (; reversed != null; reversed = reversed.next) {
            call(reversed.callback, value);
        }
        return true;
    }

    /**
     * Registers a callback.
     *
     * @param callback receives the value
     */
    @SuppressWarnings("unchecked")
    public void onComplete(Consumer<? super T> callback) {
        Node<T> node = new Node<>(Objects.requireNonNull(callback, "callback"));
        for (;;) {
            Object current = state.get();
            if (current instanceof Done) {
                call(callback, ((Done<T>) current).value);
                return;
            }
            node.next = (Node<T>) current;
            if (state.compareAndSet(current, node)) {
                return;
            }
        }
    }

    /** Returns whether this deferred has been completed. */
    public boolean isDone() {
        return state.get() instanceof Done;
    }

    /**
     * Waits for the value.
     *
     * @param timeout how long to wait
     * @param unit the unit of the timeout
     * @return the value
     * @throws TimeoutException if the time has elapsed
     * @throws InterruptedException if interrupted while waiting
     */
    @SuppressWarnings("unchecked")
    public T get(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException {
        if (!isDone()) {
            CountDownLatch latch = new CountDownLatch(1);
            onComplete(value -> latch.countDown());
            if (!latch.await(timeout, unit) && !isDone()) {
                throw new TimeoutException();
            }
        }
        return ((Done<T>) state.get()).value;
    }

    private static <T> void call(Consumer<? super T> callback, T value) {
        try {
            callback.accept(value);
        } catch (Throwable e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
