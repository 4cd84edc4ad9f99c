package net.quillmoor.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Remembers the results of an expensive function.
 *
 * <p>Thread-safe. While a result is being computed, other callers asking for it wait instead of
 * computing it too. If the function fails, all callers waiting for it get the failure, as may callers
 * that come while it is being cleared away; later calls compute again. The function must not ask for
 * the key it is computing.
 *
 * @param <K> the argument type
 * @param <V> the result type
 */
public final class Memo<K, V> {

    /** A function that may fail. */
    public interface Computation<K, V> {
        /** Computes the result for an argument. */
        V compute(K key) throws Exception;
    }

    /** Thrown if the computation failed. */
    public static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FailedException(Throwable cause) {
            super(cause);
        }
    }

    private final ConcurrentMap<K, FutureTask<V>> tasks = new ConcurrentHashMap<>();
    private final Computation<? super K, ? extends V> computation;

    /** Creates a memo for a function. */
    public Memo(Computation<? super K, ? extends V> computation) {
        this.computation = Objects.requireNonNull(computation, "computation");
    }

    /**
     * Returns the result for a key, computing it on this thread if nobody has.
     *
     * @throws FailedException if the computation failed
     * @throws InterruptedException if interrupted while waiting for another thread's computation
     */
    public V get(K key) throws InterruptedException {
        FutureTask<V> task = tasks.get(key);
        if (task == null) {
            FutureTask<V> fresh = new FutureTask<>(() -> computation.compute(key));
            task = tasks.putIfAbsent(key, fresh);
            if (task == null) {
                task = fresh;
                fresh.run();
            }
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            tasks.remove(key, task);
            throw new FailedException(e.getCause());
        }
    }

    /**
     * Forgets the result for a key. Callers waiting for a computation in progress still get its
     * result, which is then not kept.
     */
    public void forget(K key) {
        tasks.remove(key);
    }

    /** Returns the number of results kept or being computed. */
    public int size() {
        return tasks.size();
    }
}
