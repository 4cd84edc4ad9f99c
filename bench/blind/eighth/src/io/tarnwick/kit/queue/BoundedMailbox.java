package io.tarnwick.kit.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A first-in first-out mailbox of limited capacity. Senders wait while it is full,
 * receivers while it is empty.
 *
 * <p>Thread-safe. There is no guarantee which of several waiting threads goes first.
 *
 * @param <M> messages, not null
 */
public class BoundedMailbox<M> {

    private final Deque<M> messages;
    private final int capacity;

    public BoundedMailbox(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.messages = new ArrayDeque<>(Math.min(capacity, 64));
    }

    /** Puts a message in, waiting for room. */
    public synchronized void send(M message) throws InterruptedException {
        Objects.requireNonNull(message, "message");
        while (messages.size() == capacity) {
            wait();
        }
        if (messages.isEmpty()) {
            notifyAll();
        }
        messages.addLast(message);
    }

    /** Puts a message in if there is room. */
    public synchronized boolean offer(M message) {
        Objects.requireNonNull(message, "message");
        if (messages.size() == capacity) {
            return false;
        }
        if (messages.isEmpty()) {
            notifyAll();
        }
        messages.addLast(message);
        return true;
    }

    /** Takes the oldest message, waiting for one. */
    public synchronized M receive() throws InterruptedException {
        while (messages.isEmpty()) {
            wait();
        }
        return removeFirst();
    }

    /** Takes the oldest message, waiting for at most the given time; null if there was none. */
    public synchronized M receive(long time, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(time);
        while (messages.isEmpty()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return removeFirst();
    }

    /** Takes all messages, oldest first. */
    public synchronized List<M> drain() {
        List<M> all = new ArrayList<>(messages);
        if (messages.size() == capacity) {
            notifyAll();
        }
        messages.clear();
        return all;
    }

    /** The number of messages. */
    public synchronized int size() {
        return messages.size();
    }

    private M removeFirst() {
        if (messages.size() == capacity) {
            notifyAll();
        }
        return messages.removeFirst();
    }
}
