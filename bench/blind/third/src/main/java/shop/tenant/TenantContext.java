package shop.tenant;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Knows on behalf of which tenant the current thread is working. Scopes can be nested; the innermost
 * one counts.
 *
 * <p>Thread-safe: each thread has its own stack of scopes, and threads do not affect each other. To
 * take a tenant along to another thread, use {@link #propagate}.
 */
public final class TenantContext {

    private final ThreadLocal<Deque<Scope>> scopes = ThreadLocal.withInitial(ArrayDeque::new);
    private final AtomicInteger openScopes = new AtomicInteger();

    /** Returns the tenant of the current thread, if it is within a scope. */
    public Optional<String> current() {
        return Optional.ofNullable(scopes.get().peekFirst()).map(Scope::tenant);
    }

    /**
     * Returns the tenant of the current thread.
     *
     * @throws IllegalStateException if the thread is not within a scope
     */
    public String require() {
        return current().orElseThrow(() -> new IllegalStateException("no tenant"));
    }

    /** Begins a scope of the current thread, to be closed by the same thread. */
    public Scope enter(String tenant) {
        Scope scope = new Scope(Objects.requireNonNull(tenant, "tenant"), Thread.currentThread());
        scopes.get().addFirst(scope);
        openScopes.incrementAndGet();
        return scope;
    }

    /** Calls a function within a scope of the given tenant. */
    public <T> T callAs(String tenant, Supplier<? extends T> function) {
        try (Scope scope = enter(tenant)) {
            return function.get();
        }
    }

    /** Returns a task that does the same as the given one with the tenant of the calling thread. */
    public Runnable propagate(Runnable task) {
        Objects.requireNonNull(task, "task");
        Optional<String> tenant = current();
        if (tenant.isEmpty()) {
            return task;
        }
        return () -> {
            try (Scope scope = enter(tenant.get())) {
                task.run();
            }
        };
    }

    /** Returns the number of open scopes of all threads. */
    public int openScopes() {
        return openScopes.get();
    }

    /** A time during which a thread works for a tenant. */
    public final class Scope implements AutoCloseable {

        private final String tenant;
        private final Thread owner;

        private Scope(String tenant, Thread owner) {
            this.tenant = tenant;
            this.owner = owner;
        }

        public String tenant() {
            return tenant;
        }

        /**
         * Ends the scope.
         *
         * @throws IllegalStateException if it belongs to another thread, or is not the innermost one
         */
        @Override
        public void close() {
            if (Thread.currentThread() != owner) {
                throw new IllegalStateException("scope belongs to another thread");
            }
            Deque<Scope> stack = scopes.get();
            if (stack.peekFirst() != this) {
                throw new IllegalStateException("not the innermost scope");
            }
            stack.removeFirst();
            if (stack.isEmpty()) {
                scopes.remove();
            }
            openScopes.decrementAndGet();
        }
    }
}
