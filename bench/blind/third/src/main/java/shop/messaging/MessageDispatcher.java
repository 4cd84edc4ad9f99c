package shop.messaging;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes messages from producers to consumers. Urgent messages overtake others; among messages of the
 * same priority the order is kept. The number of waiting messages is limited.
 *
 * <p>Thread-safe. After {@link #close()} no message is accepted any more; messages accepted before are
 * still handed out, and then consumers get empty results.
 *
 * @param <M> the type of the messages
 */
public final class MessageDispatcher<M> implements AutoCloseable {

    /** How urgent a message is. */
    public enum Priority {
        URGENT, NORMAL, BULK
    }

    private final int capacity;
    private final Map<Priority, Queue<M>> lanes = new EnumMap<>(Priority.class);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private int size;
    private boolean closed;

    /** Creates a dispatcher for at most the given number of waiting messages. */
    public MessageDispatcher(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        for (Priority priority : Priority.values()) {
            lanes.put(priority, new ArrayDeque<>());
        }
    }

    /**
     * Hands in a message, waiting for room if necessary.
     *
     * @throws IllegalStateException if the dispatcher is closed, be it while waiting
     */
    public void dispatch(Priority priority, M message) throws InterruptedException {
        Objects.requireNonNull(priority, "priority");
        Objects.requireNonNull(message, "message");
        lock.lockInterruptibly();
        try {
            while (size == capacity && !closed) {
                notFull.await();
            }
            enqueue(priority, message);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands in a message if there is room.
     *
     * @throws IllegalStateException if the dispatcher is closed
     */
    public boolean tryDispatch(Priority priority, M message) {
        Objects.requireNonNull(priority, "priority");
        Objects.requireNonNull(message, "message");
        lock.lock();
        try {
            if (size == capacity && !closed) {
                return false;
            }
            enqueue(priority, message);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next message, waiting for one if necessary.
     *
     * @return the message, or empty if none came in time or the dispatcher is closed and empty
     */
    public Optional<M> next(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (size == 0) {
                if (closed || nanos <= 0) {
                    return Optional.empty();
                }
                nanos = notEmpty.awaitNanos(nanos);
            }
            size--;
            notFull.signal();
            return lanes.values().stream().filter(lane -> !lane.isEmpty()).findFirst().map(Queue::remove);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of waiting messages. */
    public int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further messages and ends the waiting of all threads. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Priority priority, M message) {
        if (closed) {
            throw new IllegalStateException("dispatcher is closed");
        }
        lanes.get(priority).add(message);
        size++;
        notEmpty.signal();
    }
}
