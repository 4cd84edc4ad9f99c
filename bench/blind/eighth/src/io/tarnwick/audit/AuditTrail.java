package io.tarnwick.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects audit entries and writes them to a sink in batches. Entries that do
 * not yet fill a batch are written by {@link #flush} or, at the latest, by
 * {@link #close}.
 *
 * <p>Any thread may record. The sink may be called by several threads at once.
 */
public class AuditTrail implements AutoCloseable {

    /** Where batches go. Implementations are safe for use by several threads. */
    public interface Sink {
        void write(List<Entry> batch);
    }

    /** Who did what. */
    public static final class Entry {
        private final String actor;
        private final String action;

        Entry(String actor, String action) {
            this.actor = actor;
            this.action = action;
        }

        public String actor() {
            return actor;
        }

        public String action() {
            return action;
        }

        @Override
        public String toString() {
            return actor + ':' + action;
        }
    }

    private final Object lock = new Object();
    private final Sink sink;
    private final int batchSize;
    private List<Entry> buffer = new ArrayList<>();
    private volatile boolean closed;

    public AuditTrail(Sink sink, int batchSize) {
        this.sink = Objects.requireNonNull(sink, "sink");
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize: " + batchSize);
        }
        this.batchSize = batchSize;
    }

    /**
     * Records one entry.
     *
     * @return true if the entry was accepted, in which case it reaches the sink no
     *     later than with the end of {@link #close}; false if the trail is closed
     */
    public boolean record(String actor, String action) {
        if (closed) {
            return false;
        }
        Entry entry = new Entry(actor, action);
        List<Entry> full = null;
        synchronized (lock) {
            buffer.add(entry);
            if (buffer.size() >= batchSize) {
                full = takeBuffer();
            }
        }
        if (full != null) {
            sink.write(full);
        }
        return true;
    }

    /** Writes what has been collected so far. */
    public void flush() {
        List<Entry> batch;
        synchronized (lock) {
            batch = takeBuffer();
        }
        if (!batch.isEmpty()) {
            sink.write(batch);
        }
    }

    /** Number of accepted entries not yet passed to the sink. */
    public int pending() {
        synchronized (lock) {
            return buffer.size();
        }
    }

    /** Refuses further entries and writes the rest. Closing twice does no harm. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        flush();
    }

    private List<Entry> takeBuffer() {
        List<Entry> taken = buffer;
        buffer = new ArrayList<>();
        return taken;
    }
}
