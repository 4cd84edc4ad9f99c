package shop.outbox;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds messages until they are sent. Messages are sent in the order in which they were added, each
 * one until the sender takes it without an exception.
 *
 * <p>Thread-safe. One thread flushes at a time; adding messages never waits for the sender. The sender
 * may add messages but must not flush. Messages leave the outbox one by one as they are sent, and a
 * flush includes messages that are added before it ends.
 */
public class Outbox {

    /** A numbered message. */
    public record Message(long number, String topic, String body) {
    }

    private final MessageSender sender;
    private final ReentrantLock flushing = new ReentrantLock();
    private final Object monitor = new Object();
    private final Queue<Message> waiting = new ArrayDeque<>();
    private long lastNumber;

    /** Creates an empty outbox. */
    public Outbox(MessageSender sender) {
        this.sender = Objects.requireNonNull(sender, "sender");
    }

    /** Adds a message. */
    public Message add(String topic, String body) {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(body, "body");
        synchronized (monitor) {
            Message message = new Message(++lastNumber, topic, body);
            waiting.add(message);
            return message;
        }
    }

    /**
     * Sends the waiting messages. If the sender fails, its exception is passed on, and the message and
     * those behind it stay in the outbox.
     *
     * @return the number of messages sent by this call
     * @throws IllegalStateException if called by the sender
     */
    public int flush() {
        if (flushing.isHeldByCurrentThread()) {
            throw new IllegalStateException("already flushing");
        }
        flushing.lock();
        try {
            int sent = 0;
            Message message;
            while ((message = first()) != null) {
                sender.send(message);
                removeFirst();
                sent++;
            }
            return sent;
        } finally {
            flushing.unlock();
        }
    }

    /** Returns the number of messages that are not sent yet. */
    public int size() {
        synchronized (monitor) {
            return waiting.size();
        }
    }

    /** Returns a copy of the messages that are not sent yet, in order. */
    public List<Message> waiting() {
        synchronized (monitor) {
            return List.copyOf(waiting);
        }
    }

    private Message first() {
        synchronized (monitor) {
            return waiting.peek();
        }
    }

    /** Called with the flush lock held, so the first message is still the one that was sent. */
    private void removeFirst() {
        synchronized (monitor) {
            waiting.remove();
        }
    }
}
