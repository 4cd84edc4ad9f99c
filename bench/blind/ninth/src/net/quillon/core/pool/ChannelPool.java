package net.quillon.core.pool;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * A fixed set of channels that are lent out to one borrower each. {@link #lend()} waits while
 * every channel is out, {@link #awaitAllHome()} waits until none is. This class is thread-safe.
 *
 * @param <C> the channel type
 */
public final class ChannelPool<C> {

    private final Object monitor = new Object();
    private final Deque<C> idle = new ArrayDeque<>();
    private final Set<C> lent = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;

    public ChannelPool(Collection<? extends C> channels) {
        if (channels.isEmpty()) {
            throw new IllegalArgumentException("no channels");
        }
        idle.addAll(channels);
    }

    /** Takes a channel out of the pool, waiting for one to be given back if need be. */
    public C lend() throws InterruptedException {
        synchronized (monitor) {
            while (idle.isEmpty() && !closed) {
                monitor.wait();
            }
            return takeIdle();
        }
    }

    /** Takes a channel out of the pool if one is at home right now. */
    public Optional<C> tryLend() {
        synchronized (monitor) {
            if (idle.isEmpty() && !closed) {
                return Optional.empty();
            }
            return Optional.of(takeIdle());
        }
    }

    private C takeIdle() {
        if (closed) {
            throw new IllegalStateException("pool is closed");
        }
        C channel = idle.pollFirst();
        lent.add(channel);
        return channel;
    }

    /** Brings a channel back; the next waiting borrower gets it. */
    public void giveBack(C channel) {
        synchronized (monitor) {
            if (!lent.remove(channel)) {
                throw new IllegalArgumentException("not lent by this pool: " + channel);
            }
            idle.addLast(channel);
            monitor.notify();
        }
    }

    /** Waits until there is a moment at which no channel is lent. */
    public void awaitAllHome() throws InterruptedException {
        synchronized (monitor) {
            while (!lent.isEmpty()) {
                monitor.wait();
            }
        }
    }

    /** Refuses further lending; channels that are out may still be given back. */
    public void close() {
        synchronized (monitor) {
            closed = true;
            monitor.notifyAll();
        }
    }

    public int idleCount() {
        synchronized (monitor) {
            return idle.size();
        }
    }
}
