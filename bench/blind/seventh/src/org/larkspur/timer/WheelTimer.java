package org.larkspur.timer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A timer for many timeouts, based on a hashed wheel. The wheel is turned by calls of {@link
 * #advance}, usually from a scheduled task; the thread that calls it runs the tasks that are due.
 *
 * <p>This class is thread-safe. A task runs at most once, and never if {@link Timeout#cancel} has
 * returned true for it. Tasks are run without a lock being held; if several threads turn the wheel,
 * tasks may run concurrently and out of order.
 */
public final class WheelTimer {

    /** A task waiting to be run. */
    public static final class Timeout {

        private static final int PENDING = 0;
        private static final int CANCELLED = 1;
        private static final int EXPIRED = 2;

        private final AtomicInteger state = new AtomicInteger(PENDING);
        private final WheelTimer timer;
        private final Runnable task;
        private final long deadline;

        Timeout(WheelTimer timer, Runnable task, long deadline) {
            this.timer = timer;
            this.task = task;
            this.deadline = deadline;
        }

        /**
         * Prevents the task from being run.
         *
         * @return false if it is too late or the timeout was cancelled before
         */
        public boolean cancel() {
            if (!state.compareAndSet(PENDING, CANCELLED)) {
                return false;
            }
            timer.forget(this);
            return true;
        }

        /** Returns whether the task has been started. */
        public boolean isExpired() {
            return state.get() == EXPIRED;
        }

        /** Returns whether this timeout has been cancelled. */
        public boolean isCancelled() {
            return state.get() == CANCELLED;
        }

        void expire() {
            if (state.compareAndSet(PENDING, EXPIRED)) {
                try {
                    task.run();
                } catch (Throwable e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        }
    }

    private final List<Set<Timeout>> wheel;
    private long tick;

    /**
     * Creates a timer.
     *
     * @param slots the number of slots of the wheel
     */
    public WheelTimer(int slots) {
        if (slots <= 0) {
            throw new IllegalArgumentException("slots: " + slots);
        }
        wheel = new ArrayList<>(slots);
        for (int i = 0; i < slots; i++) {
            wheel.add(new LinkedHashSet<>());
        }
    }

    /**
     * Schedules a task.
     *
     * @param task the task
     * @param ticks after how many ticks it is to be run, at least one
     * @return the timeout, by which it can be cancelled
     */
    public Timeout schedule(Runnable task, long ticks) {
        Objects.requireNonNull(task, "task");
        if (ticks <= 0) {
            throw new IllegalArgumentException("ticks: " + ticks);
        }
        synchronized (wheel) {
            Timeout timeout = new Timeout(this, task, tick + ticks);
            slot(timeout.deadline).add(timeout);
            return timeout;
        }
    }

    /** Turns the wheel by one tick and runs the tasks that are due. */
    public void advance() {
        List<Timeout> due = new ArrayList<>();
        synchronized (wheel) {
            tick++;
            for (Iterator<Timeout> it = slot(tick).iterator(); it.hasNext();) {
                Timeout timeout = it.next();
                if (timeout.deadline <= tick) {
                    it.remove();
                    due.add(timeout);
                }
            }
        }
        for (Timeout timeout : due) {
            timeout.expire();
        }
    }

    /** Returns the number of tasks in the wheel. It may include ones that are just being cancelled. */
    public int pending() {
        synchronized (wheel) {
            int count = 0;
            for (Set<Timeout> slot : wheel) {
                count += slot.size();
            }
            return count;
        }
    }

    void forget(Timeout timeout) {
        synchronized (wheel) {
            slot(timeout.deadline).remove(timeout);
        }
    }

    private Set<Timeout> slot(long time) {
        return wheel.get((int) (time % wheel.size()));
    }
}
