package net.quillmoor.coord;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests in flight and lets a thread wait until there are none, typically before a
 * connection is handed over.
 *
 * <p>Thread-safe. Starting and finishing requests takes no lock except when the last one finishes.
 * It is up to the caller to keep new requests from being started while waiting; otherwise the wait
 * ends at some moment at which none was in flight, if there is one that the waiter notices.
 */
public class InFlight {

    private final AtomicInteger count = new AtomicInteger();
    private final Object idle = new Object();

    /** Creates a counter at zero. */
    public InFlight() {
    }

    /** Notes that a request has been started; returns how many are in flight now. */
    public int started() {
        return count.incrementAndGet();
    }

    /**
     * Notes that a request is finished.
     *
     * @throws IllegalStateException if none is in flight
     */
    public void finished() {
        int before;
        do {
            before = count.get();
            if (before == 0) {
                throw new IllegalStateException("nothing in flight");
            }
        } while (!count.compareAndSet(before, before - 1));
        if (before == 1) {
            synchronized (idle) {
                idle.notifyAll();
            }
        }
    }

    /** Returns how many requests are in flight. */
    public int current() {
        return count.get();
    }

    /** Tells whether no request is in flight. */
    public boolean isIdle() {
        return count.get() == 0;
    }

    /**
     * Waits until no request is in flight.
     *
     * @throws InterruptedException if interrupted while waiting
     */
    public void awaitIdle() throws InterruptedException {
        while (count.get() != 0) {
            synchronized (idle) {
                idle.wait();
            }
        }
    }
}
