package io.tarnwick.outbox;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes messages to a transport, one at a time and in the order in which they
 * were published. The transport need not be thread-safe: it is never entered by
 * two threads at once.
 *
 * <p>A publishing thread delivers its message itself, together with whatever else
 * is waiting, or leaves it to the thread that is delivering at the moment. Once
 * all calls of {@link #publish} have returned, all messages have been delivered.
 */
public class OutboxDispatcher {

    /** The way out. A failure is counted and does not hold up later messages. */
    public interface Transport {
        void send(String message) throws Exception;
    }

    private final Queue<String> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean delivering = new AtomicBoolean();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Transport transport;

    public OutboxDispatcher(Transport transport) {
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    /** Publishes a message. */
    public void publish(String message) {
        waiting.add(Objects.requireNonNull(message, "message"));
        deliver();
    }

    /** Messages published and not yet taken up for delivery. */
    public int backlog() {
        return waiting.size();
    }

    /** Messages that the transport took. */
    public long delivered() {
        return delivered.get();
    }

    /** Messages that the transport refused. */
    public long failed() {
        return failed.get();
    }

    private void deliver() {
        if (!delivering.compareAndSet(false, true)) {
            return;
        }
        try {
            String message;
            while ((message = waiting.poll()) != null) {
                deliverOne(message);
            }
        } finally {
            delivering.set(false);
        }
    }

    private void deliverOne(String message) {
        try {
            transport.send(message);
            delivered.incrementAndGet();
        } catch (Exception e) {
            failed.incrementAndGet();
        }
    }
}
