package io.tarnwick.idempotency;

import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs a request once for each idempotency key and gives its result to everyone who
 * sends the same key again. Callers that come while the request is running wait for
 * it. A request that fails is forgotten: its callers get the failure, as may calls
 * that overlap with them, and a later call runs it afresh.
 *
 * <p>Thread-safe. Actions must not call the guard themselves.
 *
 * @param <R> results
 */
public class IdempotencyGuard<R> {

    private final ConcurrentMap<String, FutureTask<R>> tasks = new ConcurrentHashMap<>();

    /**
     * Runs the action or returns what it returned for the key before.
     *
     * @throws InterruptedException if interrupted while waiting for another caller
     * @throws Exception whatever the action throws
     */
    public R execute(String key, Callable<R> action) throws Exception {
        FutureTask<R> task = tasks.get(key);
        if (task == null) {
            FutureTask<R> fresh = new FutureTask<>(action);
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
            throw unwrap(e.getCause());
        }
    }

    /** Whether the key is known, be its request running or done. */
    public boolean isKnown(String key) {
        return tasks.containsKey(key);
    }

    private static Exception unwrap(Throwable cause) {
        if (cause instanceof Exception) {
            return (Exception) cause;
        }
        if (cause instanceof Error) {
            throw (Error) cause;
        }
        return new IllegalStateException(cause);
    }
}
