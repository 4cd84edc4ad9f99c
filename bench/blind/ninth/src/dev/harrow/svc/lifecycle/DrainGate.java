package dev.harrow.svc.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a service shut down in two phases: closing the gate turns new requests away, and the gate is
 * drained when the requests that were let in before have left.
 */
public final class DrainGate {

    private static final int CLOSED = 1;
    private static final int ONE_INSIDE = 2;

    private final AtomicInteger state = new AtomicInteger();
    private final CountDownLatch drained = new CountDownLatch(1);

    /** Lets a request in, which must {@link #leave()} later, unless the gate is closed. */
    public boolean enter() {
        for (;;) {
            int s = state.get();
            if ((s & CLOSED) != 0) {
                return false;
            }
            if (state.compareAndSet(s, Math.addExact(s, ONE_INSIDE))) {
                return true;
            }
        }
    }

    public void leave() {
        for (;;) {
            int s = state.get();
            if (s < ONE_INSIDE) {
                throw new IllegalStateException("nobody inside");
            }
            if (state.compareAndSet(s, s - ONE_INSIDE)) {
                if (s - ONE_INSIDE == CLOSED) {
                    drained.countDown();
                }
                return;
            }
        }
    }

    /** Runs the action inside the gate, unless it is closed. */
    public boolean run(Runnable action) {
        if (!enter()) {
            return false;
        }
        try {
            action.run();
        } finally {
            leave();
        }
        return true;
    }

    /** Turns away requests from now on; returns whether the gate was open. */
    public boolean close() {
        int before = state.getAndUpdate(s -> s | CLOSED);
        if (before == 0) {
            drained.countDown();
        }
        return (before & CLOSED) == 0;
    }

    /** Waits until the gate is closed and nobody is inside. */
    public boolean awaitDrained(long timeout, TimeUnit unit) throws InterruptedException {
        return drained.await(timeout, unit) || state.get() == CLOSED;
    }

    public boolean isClosed() {
        return (state.get() & CLOSED) != 0;
    }

    public int inside() {
        return state.get() / ONE_INSIDE;
    }
}
