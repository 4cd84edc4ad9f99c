package com.acme.mail;

import java.util.ArrayDeque;
import java.util.Objects;

/**
 * A mailbox of limited capacity that hands messages from any number of
 * senders to any number of receivers in first-in first-out order.
 *
 * <p>{@link #put} blocks while the mailbox is full, {@link #take} blocks
 * while it is empty. All methods may be called by any thread.
 *
 * @param <M> type of the messages
 */
public class BoundedMailbox<M> {

    private final ArrayDeque<M> messages = new ArrayDeque<>();
    private final int capacity;

    /** Creates a mailbox holding one message. */
    public BoundedMailbox() {
        this(1);
    }

    /**
     * @param capacity how many messages are held before senders block
     */
    public BoundedMailbox(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Adds a message, waiting for room. */
    public synchronized void put(M message) throws InterruptedException {
        Objects.requireNonNull(message);
        while (messages.size() == capacity) {
            wait();
        }
        messages.addLast(message);
        notify();
    }

    /** Takes the oldest message, waiting for one. */
    public synchronized M take() throws InterruptedException {
        while (messages.isEmpty()) {
            wait();
        }
        M m = messages.removeFirst();
        notify();
        return m;
    }

    /** Takes the oldest message or returns null if there is none. */
    public synchronized M poll() {
        M m = messages.pollFirst();
        if (m != null) {
            notify();
        }
        return m;
    }

    /** Number of messages waiting. */
    public synchronized int size() {
        return messages.size();
    }

    public int capacity() {
        return capacity;
    }
}
