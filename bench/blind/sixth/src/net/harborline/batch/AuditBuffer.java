package net.harborline.batch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Collects audit lines until the shipper fetches them as a batch.
 *
 * <p>Request threads call {@link #add(String)}, the shipper calls {@link #drain()} now and then.
 * Every line appears in exactly one batch.
 */
public class AuditBuffer {

    private final int initialCapacity;
    private List<String> pending;

    public AuditBuffer() {
        this(64);
    }

    public AuditBuffer(int initialCapacity) {
        this.initialCapacity = initialCapacity;
        this.pending = new ArrayList<>(initialCapacity);
    }

    /** Adds a line to the current batch. */
    public void add(String line) {
        Objects.requireNonNull(line, "line");
        synchronized (pending) {
            pending.add(line);
        }
    }

    /** Adds several lines to the current batch, one after the other. */
    public void addAll(List<String> lines) {
        for (String line : lines) {
            add(line);
        }
    }

    /**
     * Ends the current batch and starts a new one.
     *
     * @return the lines of the ended batch in order of arrival
     */
    public List<String> drain() {
        synchronized (pending) {
            if (pending.isEmpty()) {
                return Collections.emptyList();
            }
            List<String> batch = pending;
            pending = new ArrayList<>(initialCapacity);
            return batch;
        }
    }

    /** Returns the number of lines in the current batch. */
    public int size() {
        synchronized (pending) {
            return pending.size();
        }
    }
}
