package b2.minibatcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Collects records to be written in batches.
 *
 * <p>Thread-safe: each record that has been added is returned by exactly one {@link #flush()}.
 */
public class MiniBatcher<R> {
    private final AtomicReference<Queue<R>> current =
            new AtomicReference<>(new ConcurrentLinkedQueue<>());

    /** Adds a record to the current batch. */
    public void add(R record) {
        if (record == null) {
            throw new NullPointerException("record");
        }
        current.get().add(record);
    }

    /** Ends the current batch and returns its records, in the order in which they were added. */
    public List<R> flush() {
        Queue<R> batch = current.getAndSet(new ConcurrentLinkedQueue<>());
        return new ArrayList<>(batch);
    }

    /** Tells whether the current batch is empty. */
    public boolean isEmpty() {
        return current.get().isEmpty();
    }
}
