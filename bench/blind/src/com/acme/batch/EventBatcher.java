package com.acme.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Gathers events and hands them in batches to a consumer, which is called
 * outside of any lock by the thread that completed the batch.
 *
 * <p>Thread-safe. Events keep their order within a batch; batches of different
 * threads may reach the consumer in any order, also after the batcher has been
 * closed by another thread. An exception of the consumer goes to the caller
 * and the batch is lost.
 */
public class EventBatcher<E> implements AutoCloseable {

    private final Consumer<? super List<E>> consumer;
    private final int limit;
    private List<E> batch = new ArrayList<>();
    private boolean closed;

    public EventBatcher(Consumer<? super List<E>> consumer, int limit) {
        this.consumer = Objects.requireNonNull(consumer);
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /**
     * Adds an event.
     *
     * @return whether it completed a batch, which has then been handed over
     * @throws IllegalStateException if closed
     */
    public boolean add(E event) {
        List<E> full = null;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            batch.add(event);
            if (batch.size() >= limit) {
                full = take();
            }
        }
        if (full == null) {
            return false;
        }
        consumer.accept(full);
        return true;
    }

    /** Hands over an incomplete batch; returns how many events it had. */
    public int flush() {
        List<E> rest;
        synchronized (this) {
            rest = take();
        }
        return deliver(rest);
    }

    private List<E> take() {
        List<E> b = batch;
        batch = new ArrayList<>();
        return b;
    }

    private int deliver(List<E> events) {
        if (!events.isEmpty()) {
            consumer.accept(events);
        }
        return events.size();
    }

    /** Events in the batch not yet complete. */
    public synchronized int pending() {
        return batch.size();
    }

    /** Hands over the rest and refuses further events; idempotent. */
    @Override
    public void close() {
        List<E> rest;
        synchronized (this) {
            closed = true;
            rest = take();
        }
        deliver(rest);
    }
}
