package app.outbox;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps outgoing messages until they have been sent.
 *
 * <p>Thread-safe, provided that the transport is. Delivery is <em>at least once</em>: a message is kept
 * until a send of it has succeeded, and it may be sent more than once if several threads call
 * {@link #dispatch} at the same time. Receivers recognise repetitions by the id, which is unique per
 * dispatcher. One call of {@code dispatch} sends in ascending order of the ids, which is the order of
 * posting for messages posted one after the other; no order is promised between several calls.
 */
public class OutboxDispatcher {

    /** Sends messages. */
    @FunctionalInterface
    public interface Transport {
        /**
         * Sends a message.
         *
         * @throws RuntimeException if it could not be sent
         */
        void send(long id, String body);
    }

    /** What a dispatch has done: messages sent, including repetitions, and failed attempts. */
    public record Result(int sent, int failed) {
    }

    private final Transport transport;
    private final AtomicLong ids = new AtomicLong();
    private final ConcurrentNavigableMap<Long, String> pending = new ConcurrentSkipListMap<>();

    public OutboxDispatcher(Transport transport) {
        this.transport = Objects.requireNonNull(transport);
    }

    /**
     * Adds a message.
     *
     * @return its id
     */
    public long post(String body) {
        Objects.requireNonNull(body);
        long id = ids.incrementAndGet();
        pending.put(id, body);
        return id;
    }

    /**
     * Tries once to send each pending message. Messages posted during the call may be included or left
     * for the next one. A message that cannot be sent stays pending and does not keep others back.
     */
    public Result dispatch() {
        int sent = 0;
        int failed = 0;
        for (Map.Entry<Long, String> e : pending.entrySet()) {
            try {
                transport.send(e.getKey(), e.getValue());
            } catch (RuntimeException ex) {
                failed++;
                continue;
            }
            pending.remove(e.getKey());
            sent++;
        }
        return new Result(sent, failed);
    }

    /**
     * Withdraws a message.
     *
     * @return {@code false} if it is not pending any more; if {@code true}, it may still be on its way
     *     when a dispatch is running
     */
    public boolean withdraw(long id) {
        return pending.remove(id) != null;
    }

    /** Returns whether the message is still kept. */
    public boolean isPending(long id) {
        return pending.containsKey(id);
    }

    /** Returns the number of messages kept; an estimate while other threads use the dispatcher. */
    public int pendingCount() {
        return pending.size();
    }
}
