package io.tarnwick.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands events to a consumer, one after the other and in the order in which they
 * were posted. The consumer is entered by one thread at a time and may post itself.
 *
 * <p>A posting thread either hands over everything that is waiting or leaves its event
 * to the thread that is at it; in the second case the event may still be on its way
 * when {@link #post} returns. When no call of {@code post} is in progress nothing is
 * left behind.
 *
 * @param <E> events
 */
public class OutboxRelay<E> {

    /** Takes events. */
    public interface Consumer<E> {
        void accept(E event) throws Exception;
    }

    private final Queue<E> queue = new ConcurrentLinkedQueue<>();
    private final Queue<E> rejected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private final AtomicLong accepted = new AtomicLong();
    private final Consumer<? super E> consumer;

    public OutboxRelay(Consumer<? super E> consumer) {
        this.consumer = Objects.requireNonNull(consumer, "consumer");
    }

    /** Posts an event. */
    public void post(E event) {
        queue.add(Objects.requireNonNull(event, "event"));
        if (work.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            E next;
            while ((next = queue.poll()) != null) {
                handOver(next);
            }
            missed = work.addAndGet(-missed);
        } while (missed != 0);
    }

    /** How many events the consumer has taken. */
    public long accepted() {
        return accepted.get();
    }

    /** The events that the consumer failed on, each returned by one call only. */
    public List<E> takeRejected() {
        List<E> taken = new ArrayList<>();
        E event;
        while ((event = rejected.poll()) != null) {
            taken.add(event);
        }
        return taken;
    }

    private void handOver(E event) {
        try {
            consumer.accept(event);
            accepted.incrementAndGet();
        } catch (Throwable e) {
            rejected.add(event);
        }
    }
}
