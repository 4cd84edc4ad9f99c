package app.report;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Computes, for items of a hierarchy, the sum of the amounts from the item up to its root. Requested
 * totals are kept and shared by later requests.
 *
 * <p>May be used by any number of threads. All access to the {@link Source} happens on one background
 * thread, so the source need not be thread-safe. Every future returned is completed eventually, as
 * long as the source returns; requests made before {@link #close} are still served after it.
 */
public class TotalsService implements AutoCloseable {

    /** Where items come from. */
    public interface Source {
        /** Returns the item above the given one, or {@code null} if it is a root. */
        String parentOf(String item);

        /** Returns the amount of the item itself. */
        long amountOf(String item);
    }

    private final Source source;
    private final ConcurrentMap<String, CompletableFuture<Long>> totals = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread t = new Thread(task, "totals");
        t.setDaemon(true);
        return t;
    });

    public TotalsService(Source source) {
        this.source = Objects.requireNonNull(source);
    }

    /**
     * Requests the total of an item.
     *
     * @throws IllegalStateException if the service is closed and the total is not known
     */
    public CompletableFuture<Long> request(String item) {
        CompletableFuture<Long> created = new CompletableFuture<>();
        CompletableFuture<Long> known = totals.putIfAbsent(item, created);
        if (known != null) {
            return known.copy();
        }
        try {
            worker.execute(() -> compute(item, created));
        } catch (RejectedExecutionException e) {
            totals.remove(item, created);
            IllegalStateException failure = new IllegalStateException("service is closed", e);
            created.completeExceptionally(failure);
            throw failure;
        }
        return created.copy();
    }

    /** Returns the total of an item, waiting for it if necessary. */
    public long total(String item) {
        return request(item).join();
    }

    /** Forgets the total of the item, so that it is computed anew when requested again. */
    public void forget(String item) {
        totals.remove(item);
    }

    /** Refuses requests from now on; does not wait. */
    @Override
    public void close() {
        worker.shutdown();
    }

    private void compute(String item, CompletableFuture<Long> target) {
        try {
            target.complete(sumUp(item));
        } catch (RuntimeException | Error e) {
            totals.remove(item, target);
            target.completeExceptionally(e);
        }
    }

    private long sumUp(String item) {
        long own = source.amountOf(item);
        String parent = source.parentOf(item);
        if (parent == null) {
            return own;
        }
        CompletableFuture<Long> above = totals.get(parent);
        return own + (above != null ? above.join() : sumUp(parent));
    }
}
