package shop.pool;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A bounded pool of reusable resources, such as parsers or protocol clients.
 *
 * <p>Resources are created on demand. At no time do more than {@link #maxSize()} resources made by
 * this pool exist; when all of them are lent out, {@link #tryBorrow()} answers with an empty
 * {@code Optional} instead of waiting.
 *
 * <p>This class is thread-safe. A borrowed resource belongs to the borrower until it is given back or
 * discarded, which the borrower must do exactly once.
 *
 * @param <T> the type of the pooled resources
 */
public final class ResourcePool<T> {

    private final Supplier<? extends T> factory;
    private final Consumer<? super T> destroyer;
    private final int maxSize;
    private final ConcurrentLinkedDeque<T> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger total = new AtomicInteger();

    /**
     * Creates an empty pool.
     *
     * @param maxSize the greatest number of resources, at least one
     * @param factory makes a new resource; must not return null
     * @param destroyer disposes of a discarded resource
     */
    public ResourcePool(int maxSize, Supplier<? extends T> factory, Consumer<? super T> destroyer) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("maxSize: " + maxSize);
        }
        this.maxSize = maxSize;
        this.factory = Objects.requireNonNull(factory, "factory");
        this.destroyer = Objects.requireNonNull(destroyer, "destroyer");
    }

    /**
     * Lends out an idle resource, or a new one if there is room for it.
     *
     * @return the resource, or empty if all resources are in use
     */
    public Optional<T> tryBorrow() {
        T resource = idle.pollFirst();
        if (resource != null) {
            return Optional.of(resource);
        }
        if (total.get() >= maxSize) {
            return Optional.empty();
        }
        T created = Objects.requireNonNull(factory.get(), "factory returned null");
        total.incrementAndGet();
        return Optional.of(created);
    }

    /** Returns a borrowed resource to the pool so that others can use it. */
    public void giveBack(T resource) {
        idle.offerFirst(Objects.requireNonNull(resource, "resource"));
    }

    /** Disposes of a borrowed resource that is no longer fit for use, making room for a new one. */
    public void discard(T resource) {
        Objects.requireNonNull(resource, "resource");
        try {
            destroyer.accept(resource);
        } finally {
            total.decrementAndGet();
        }
    }

    /**
     * Runs an action with a borrowed resource and gives the resource back afterwards. If the action
     * throws, the resource is discarded.
     *
     * @return the result of the action, or empty if no resource was free or the action returned null
     */
    public <R> Optional<R> withResource(Function<? super T, ? extends R> action) {
        Optional<T> borrowed = tryBorrow();
        if (borrowed.isEmpty()) {
            return Optional.empty();
        }
        T resource = borrowed.get();
        R result;
        try {
            result = action.apply(resource);
        } catch (RuntimeException | Error e) {
            discard(resource);
            throw e;
        }
        giveBack(resource);
        return Optional.ofNullable(result);
    }

    /** Returns the number of resources in existence, lent out or idle. */
    public int size() {
        return total.get();
    }

    /** Returns the number of idle resources; an estimate while others borrow and give back. */
    public int idleCount() {
        return idle.size();
    }

    /** Returns the greatest number of resources this pool creates. */
    public int maxSize() {
        return maxSize;
    }
}
