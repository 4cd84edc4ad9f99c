package shop.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Collects items and passes them on in batches. Each item written reaches the sink exactly once.
 *
 * <p>Thread-safe. The sink is called without any lock held, by the thread whose item filled the batch
 * or that called {@link #flush}; it may therefore be called by several threads at once and must be
 * thread-safe as well. The sink owns the lists it gets.
 *
 * @param <T> the type of the items
 */
public class BatchingWriter<T> implements AutoCloseable {

    private final int batchSize;
    private final Consumer<? super List<T>> sink;
    private volatile List<T> buffer;

    /**
     * Creates a writer.
     *
     * @param batchSize the number of items that make a full batch, at least one
     * @param sink takes the batches
     */
    public BatchingWriter(int batchSize, Consumer<? super List<T>> sink) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize: " + batchSize);
        }
        this.batchSize = batchSize;
        this.sink = Objects.requireNonNull(sink, "sink");
        this.buffer = new ArrayList<>(batchSize);
    }

    /** Adds an item to the current batch and passes the batch on if it is now full. */
    public void write(T item) {
        Objects.requireNonNull(item, "item");
        List<T> full = null;
        synchronized (buffer) {
            buffer.add(item);
            if (buffer.size() >= batchSize) {
                full = startNewBatch();
            }
        }
        if (full != null) {
            sink.accept(full);
        }
    }

    /** Adds several items, not necessarily to the same batch. */
    public void writeAll(Iterable<? extends T> items) {
        for (T item : items) {
            write(item);
        }
    }

    /**
     * Passes on the current batch even if it is not full.
     *
     * @return the number of items passed on
     */
    public int flush() {
        List<T> batch;
        synchronized (buffer) {
            if (buffer.isEmpty()) {
                return 0;
            }
            batch = startNewBatch();
        }
        int count = batch.size();
        sink.accept(batch);
        return count;
    }

    /** Returns the number of items that wait for their batch to become full. */
    public int pending() {
        synchronized (buffer) {
            return buffer.size();
        }
    }

    /** Passes on what is left. The writer may be used again afterwards. */
    @Override
    public void close() {
        flush();
    }

    private List<T> startNewBatch() {
        List<T> batch = buffer;
        buffer = new ArrayList<>(batchSize);
        return batch;
    }
}
