package net.harborline.messaging;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Bounded mailbox of an actor. Senders block while the mailbox is full, receivers block while it
 * is empty. Any number of senders and receivers may share a mailbox.
 *
 * @param <M> type of the messages
 */
public class Mailbox<M> {

    private final int capacity;
    private final Deque<M> messages = new ArrayDeque<>();
    private long delivered;

    public Mailbox(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Puts a message into the mailbox, waiting for room if necessary. */
    public synchronized void send(M message) throws InterruptedException {
        Objects.requireNonNull(message, "message");
        while (messages.size() == capacity) {
            wait();
        }
        messages.addLast(message);
        notify();
    }

    /** Puts a message into the mailbox if there is room for it now. */
    public synchronized boolean trySend(M message) {
        Objects.requireNonNull(message, "message");
        if (messages.size() == capacity) {
            return false;
        }
        messages.addLast(message);
        notify();
        return true;
    }

    /** Takes the oldest message, waiting for one if necessary. */
    public synchronized M receive() throws InterruptedException {
        while (messages.isEmpty()) {
            wait();
        }
        M message = messages.removeFirst();
        delivered++;
        notify();
        return message;
    }

    /** Returns the number of messages waiting. */
    public synchronized int depth() {
        return messages.size();
    }

    /** Returns the number of messages handed to receivers so far. */
    public synchronized long delivered() {
        return delivered;
    }
}
