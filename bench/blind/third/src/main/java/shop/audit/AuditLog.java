package shop.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Remembers who did what, up to a number of entries; beyond that the oldest ones are dropped.
 *
 * <p>Thread-safe: the entries are only touched by a thread of the log's own, which carries out all
 * requests one after the other in the order in which they were made. After {@link #close()} requests
 * are refused with an {@link IllegalStateException}; those made before are still carried out.
 */
public final class AuditLog implements AutoCloseable {

    /** Something that was done. */
    public record Entry(long number, String actor, String action) {
    }

    private final int capacity;
    private final ExecutorService worker;
    // the following are confined to the worker
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long lastNumber;

    /**
     * Creates an empty log.
     *
     * @param capacity the number of entries to keep, at least one
     */
    public AuditLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.worker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "audit-log");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Adds an entry.
     *
     * @return completed with the entry's number as soon as it is in the log
     */
    public CompletableFuture<Long> append(String actor, String action) {
        Objects.requireNonNull(actor, "actor");
        Objects.requireNonNull(action, "action");
        return submit(() -> {
            Entry entry = new Entry(++lastNumber, actor, action);
            entries.addLast(entry);
            if (entries.size() > capacity) {
                entries.removeFirst();
            }
            return entry.number();
        });
    }

    /** Finds the entries of an actor, the oldest one first. */
    public CompletableFuture<List<Entry>> entriesOf(String actor) {
        Objects.requireNonNull(actor, "actor");
        return find(entry -> entry.actor().equals(actor));
    }

    /** Finds the entries that meet a condition, the oldest one first. The condition must not wait for the log. */
    public CompletableFuture<List<Entry>> find(Predicate<? super Entry> condition) {
        Objects.requireNonNull(condition, "condition");
        return submit(() -> List.copyOf(entries.stream().filter(condition).toList()));
    }

    /** Counts the entries kept. */
    public CompletableFuture<Integer> size() {
        return submit(entries::size);
    }

    /** Refuses further requests. Does not wait for those that are in progress. */
    @Override
    public void close() {
        worker.shutdown();
    }

    private <T> CompletableFuture<T> submit(Supplier<T> request) {
        try {
            return CompletableFuture.supplyAsync(request, worker);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("audit log is closed", e);
        }
    }
}
