package io.tarnwick.kit.sync;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * A counting gate that lets threads through strictly in the order of their arrival.
 * A leaving thread hands its place on to the one that has waited longest.
 *
 * <p>The number of places is fixed; each successful {@link #enter} must be matched
 * by one {@link #leave}.
 */
public class FairGate {

    private static final class Waiter {
        boolean admitted;
    }

    private final Object monitor = new Object();
    private final Deque<Waiter> line = new ArrayDeque<>();
    private int free;

    public FairGate(int places) {
        if (places < 0) {
            throw new IllegalArgumentException("places: " + places);
        }
        this.free = places;
    }

    /**
     * Enters, waiting for a place.
     *
     * @throws InterruptedException if interrupted while waiting; no place is taken then
     */
    public void enter() throws InterruptedException {
        synchronized (monitor) {
            if (free > 0) {
                free--;
                return;
            }
            Waiter self = new Waiter();
            line.addLast(self);
            try {
                while (!self.admitted) {
                    monitor.wait();
                }
            } catch (InterruptedException e) {
                line.remove(self);
                throw e;
            }
        }
    }

    /** Enters if there is a place right now. */
    public boolean tryEnter() {
        synchronized (monitor) {
            if (free == 0) {
                return false;
            }
            free--;
            return true;
        }
    }

    /** Waits for all places to be free, at most for the given time. */
    public boolean awaitFree(int places, long time, TimeUnit unit) throws InterruptedException {
        long deadline = System.nanoTime() + unit.toNanos(time);
        synchronized (monitor) {
            while (free < places) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(monitor, left);
            }
            return true;
        }
    }

    /** Leaves, which admits the first thread in the line or frees a place. */
    public void leave() {
        synchronized (monitor) {
            Waiter first = line.pollFirst();
            if (first != null) {
                first.admitted = true;
            } else {
                free++;
            }
            monitor.notifyAll();
        }
    }

    /** Free places. */
    public int free() {
        synchronized (monitor) {
            return free;
        }
    }
}
