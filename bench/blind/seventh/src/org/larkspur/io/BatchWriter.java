package org.larkspur.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Collects records and writes them to a sink in batches, when enough of them have come together or
 * on demand. If the sink throws an exception, the records remain in the buffer and will be part of
 * the next batch.
 *
 * @param <R> the type of records
 */
public class BatchWriter<R> implements AutoCloseable {

    private final Queue<R> buffer = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final int batchSize;
    private final Consumer<? super List<R>> sink;

    /**
     * Creates a writer.
     *
     * @param batchSize the number of records that causes a batch to be written
     * @param sink receives the batches, one at a time
     */
    public BatchWriter(int batchSize, Consumer<? super List<R>> sink) {
        if (batchSize <= 0) {
            throw new IllegalArgumentException("batchSize: " + batchSize);
        }
        this.batchSize = batchSize;
        this.sink = Objects.requireNonNull(sink, "sink");
    }

    /**
     * Adds a record to the buffer.
     *
     * @param record the record, not null
     */
    public void write(R record) {
        buffer.offer(Objects.requireNonNull(record, "record"));
        if (pending.incrementAndGet() >= batchSize) {
            flush();
        }
    }

    /** Writes the records in the buffer to the sink. */
    public synchronized void flush() {
        List<R> batch = new ArrayList<>(buffer);
        if (batch.isEmpty()) {
            return;
        }
        sink.accept(batch);
        buffer.clear();
        pending.addAndGet(-batch.size());
    }

    /** Returns the number of records that have not been written yet. */
    public int pending() {
        return pending.get();
    }

    /** Writes what is left in the buffer. */
    @Override
    public void close() {
        flush();
    }
}
