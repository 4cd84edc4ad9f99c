package net.quillmoor.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Groups records and writes each full group to a store, on the thread that filled it.
 *
 * <p>Thread-safe. Every record accepted is written exactly once, at the latest when the group is
 * closed. Groups filled by different threads are written at the same time and in any order. Futures
 * are completed while no lock is held.
 *
 * @param <R> the record type
 */
public final class FlushGroup<R> implements AutoCloseable {

    /** Where groups are written. Must be thread-safe. */
    public interface Store<R> {
        /** Writes a group of records; an exception fails their futures. */
        void write(List<R> group) throws Exception;
    }

    private static final class Group<R> {
        final List<R> records = new ArrayList<>();
        final List<CompletableFuture<Void>> futures = new ArrayList<>();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private final Store<R> store;
    private final int groupSize;
    private Group<R> filling = new Group<>();
    private int writing;
    private boolean closed;

    /**
     * Creates an open group writer.
     *
     * @param store where to write
     * @param groupSize how many records make a full group, positive
     */
    public FlushGroup(Store<R> store, int groupSize) {
        if (groupSize < 1) {
            throw new IllegalArgumentException("groupSize: " + groupSize);
        }
        this.store = Objects.requireNonNull(store, "store");
        this.groupSize = groupSize;
    }

    /**
     * Adds a record.
     *
     * @return a future that is completed when the record has been written
     * @throws IllegalStateException if closed
     */
    public CompletableFuture<Void> add(R item) {
        Objects.requireNonNull(item, "item");
        CompletableFuture<Void> future = new CompletableFuture<>();
        Group<R> full = null;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            filling.records.add(item);
            filling.futures.add(future);
            if (filling.records.size() >= groupSize) {
                full = detach();
            }
        } finally {
            lock.unlock();
        }
        write(full);
        return future;
    }

    /** Writes the records added so far that are not being written by another thread. */
    public void flush() {
        Group<R> rest;
        lock.lock();
        try {
            rest = detach();
        } finally {
            lock.unlock();
        }
        write(rest);
    }

    /**
     * Refuses further records and writes the incomplete group. Does not wait for groups that other
     * threads are writing; see {@link #awaitQuiet}.
     */
    @Override
    public void close() {
        Group<R> rest;
        lock.lock();
        try {
            closed = true;
            rest = detach();
        } finally {
            lock.unlock();
        }
        write(rest);
    }

    /**
     * Waits until no group is being written.
     *
     * @return false if the time ran out first
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean awaitQuiet(long timeout, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(timeout);
        lock.lock();
        try {
            while (writing > 0) {
                if (left <= 0) {
                    return false;
                }
                left = quiet.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the records gathered, if any, out for writing. Needs the lock. */
    private Group<R> detach() {
        if (filling.records.isEmpty()) {
            return null;
        }
        Group<R> group = filling;
        filling = new Group<>();
        writing++;
        return group;
    }

    private void write(Group<R> group) {
        if (group == null) {
            return;
        }
        try {
            store.write(group.records);
            group.futures.forEach(f -> f.complete(null));
        } catch (Exception e) {
            group.futures.forEach(f -> f.completeExceptionally(e));
        } finally {
            lock.lock();
            try {
                writing--;
                if (writing == 0) {
                    quiet.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
