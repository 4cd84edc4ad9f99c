package org.fenwater.util.concurrent;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mutual exclusion per key. A key is held by at most one hold at a time, which may be closed by any
 * thread; holds are not reentrant. Keys that are not in use take up no memory.
 *
 * @param <K> the key type
 */
public final class KeyedMutex<K> {

    private final ConcurrentHashMap<K, Gate> gates = new ConcurrentHashMap<>();

    /** Waits until nobody holds the key and holds it. */
    public Hold acquire(K key) throws InterruptedException {
        Gate gate = enter(key);
        boolean acquired = false;
        try {
            gate.permit.acquire();
            acquired = true;
        } finally {
            if (!acquired) {
                leave(key);
            }
        }
        return new Hold(key, gate);
    }

    /** Holds the key if nobody else does. */
    public Optional<Hold> tryAcquire(K key) {
        Gate gate = enter(key);
        if (gate.permit.tryAcquire()) {
            return Optional.of(new Hold(key, gate));
        }
        leave(key);
        return Optional.empty();
    }

    public boolean isHeld(K key) {
        Gate gate = gates.get(key);
        return gate != null && gate.permit.availablePermits() == 0;
    }

    private Gate enter(K key) {
        return gates.compute(key, (k, present) -> {
            Gate gate = present == null ? new Gate() : present;
            gate.users++;
            return gate;
        });
    }

    private void leave(K key) {
        gates.computeIfPresent(key, (k, gate) -> --gate.users == 0 ? null : gate);
    }

    private static final class Gate {
        final Semaphore permit = new Semaphore(1);
        int users;
    }

    /** Holds a key until closed. */
    public final class Hold implements AutoCloseable {

        private final K key;
        private final Gate gate;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Hold(K key, Gate gate) {
            this.key = key;
            this.gate = gate;
        }

        public K key() {
            return key;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                gate.permit.release();
                leave(key);
            }
        }
    }
}
