package app.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records audit events and writes them to a sink in batches.
 *
 * <p>Thread-safe. An event reaches the sink only when enough events have gathered, or with
 * {@link #flush} or {@link #close}. Every event is written exactly once, in the order of recording,
 * unless the sink fails. A batch holds at least one event and may be larger than the batch size. The
 * sink is called by one thread at a time; it must not call back.
 */
public class BatchedAuditTrail implements AutoCloseable {

    /** Takes batches of events. */
    @FunctionalInterface
    public interface Sink {
        /** Writes the events, all of them or, if it throws an exception, none. */
        void write(List<String> events);
    }

    private final int batchSize;
    private final Sink sink;
    private final ReentrantLock writing = new ReentrantLock();
    private final Object monitor = new Object();
    private List<String> gathered = new ArrayList<>();
    private boolean closed;

    /**
     * @param batchSize number of events that makes the recording thread write them
     */
    public BatchedAuditTrail(int batchSize, Sink sink) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize: " + batchSize);
        }
        this.batchSize = batchSize;
        this.sink = Objects.requireNonNull(sink);
    }

    /**
     * Records an event. If this makes a batch complete, it is written before the method returns. An
     * exception of the sink reaches the caller; the event is kept nevertheless.
     *
     * @throws IllegalStateException if the trail is closed
     */
    public void record(String event) {
        Objects.requireNonNull(event);
        boolean complete;
        synchronized (monitor) {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            gathered.add(event);
            complete = gathered.size() >= batchSize;
        }
        if (complete) {
            flush();
        }
    }

    /** Writes all events recorded before this call, and maybe some recorded during it. */
    public void flush() {
        writing.lock();
        try {
            List<String> batch;
            synchronized (monitor) {
                if (gathered.isEmpty()) {
                    return;
                }
                batch = gathered;
                gathered = new ArrayList<>();
            }
            boolean written = false;
            try {
                sink.write(List.copyOf(batch));
                written = true;
            } finally {
                if (!written) {
                    synchronized (monitor) {
                        gathered.addAll(0, batch);
                    }
                }
            }
        } finally {
            writing.unlock();
        }
    }

    /** Returns the number of events waiting; those being written at the moment do not count. */
    public int waiting() {
        synchronized (monitor) {
            return gathered.size();
        }
    }

    /** Refuses further events and writes those waiting; may be repeated. */
    @Override
    public void close() {
        synchronized (monitor) {
            closed = true;
        }
        flush();
    }
}
