package com.acme.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects records and hands them to a {@link Sink} in batches. Thread-safe.
 *
 * <p>A record accepted by {@link #write} is delivered at the latest by
 * {@link #close()}; records are refused once the writer is closed.
 */
public class BatchingWriter implements AutoCloseable {

    /** Takes the batches. */
    public interface Sink {
        void accept(List<String> batch);
    }

    private final Sink sink;
    private final int batchSize;
    private final Object lock = new Object();
    private List<String> buffer = new ArrayList<>();
    private long delivered;
    private volatile boolean closed;

    public BatchingWriter(Sink sink) {
        this(sink, 16);
    }

    public BatchingWriter(Sink sink, int batchSize) {
        this.sink = Objects.requireNonNull(sink);
        this.batchSize = Math.max(1, batchSize);
    }

    /**
     * Accepts a record.
     *
     * @throws IllegalStateException if the writer is closed
     */
    public void write(String record) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        synchronized (lock) {
            buffer.add(record);
            if (buffer.size() >= batchSize) {
                flushLocked();
            }
        }
    }

    /** Delivers what has been accepted. */
    public void flush() {
        synchronized (lock) {
            flushLocked();
        }
    }

    private void flushLocked() {
        if (buffer.isEmpty()) {
            return;
        }
        List<String> batch = buffer;
        buffer = new ArrayList<>();
        delivered += batch.size();
        sink.accept(batch);
    }

    /** Delivers the rest and refuses further records. Does nothing if closed. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        flush();
    }

    /** Records accepted but not yet delivered; 0 once closed. */
    public int pending() {
        synchronized (lock) {
            return buffer.size();
        }
    }

    /** Records delivered so far. */
    public long delivered() {
        synchronized (lock) {
            return delivered;
        }
    }
}
