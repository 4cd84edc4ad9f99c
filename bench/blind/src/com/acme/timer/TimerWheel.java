package com.acme.timer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A hashed timer wheel driven by {@link #tick()}. Timeouts are scheduled some
 * ticks ahead and can be cancelled until they have expired.
 *
 * <p>All methods are thread-safe and none blocks for longer than a short
 * critical section.
 */
public class TimerWheel {

    private enum Phase { WAITING, CANCELLED, EXPIRED }

    /** Handle of a scheduled task. */
    public static final class Timeout {
        private final Runnable task;
        private final Set<Timeout> bucket;
        private int rounds;
        private Phase phase = Phase.WAITING;

        private Timeout(Runnable task, Set<Timeout> bucket, int rounds) {
            this.task = task;
            this.bucket = bucket;
            this.rounds = rounds;
        }

        private synchronized boolean expire() {
            if (phase != Phase.WAITING) {
                return false;
            }
            phase = Phase.EXPIRED;
            return true;
        }

        private synchronized boolean cancel() {
            if (phase != Phase.WAITING) {
                return false;
            }
            phase = Phase.CANCELLED;
            synchronized (bucket) {
                bucket.remove(this);
            }
            return true;
        }

        public synchronized boolean isExpired() {
            return phase == Phase.EXPIRED;
        }
    }

    private final List<Set<Timeout>> wheel = new ArrayList<>();
    private int cursor;

    public TimerWheel() {
        this(8);
    }

    public TimerWheel(int slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("slots: " + slots);
        }
        for (int i = 0; i < slots; i++) {
            wheel.add(new LinkedHashSet<>());
        }
    }

    /**
     * Schedules a task.
     *
     * @param ticks the task is run by the ticks-th call of {@link #tick()} from now, at least 1
     */
    public synchronized Timeout schedule(Runnable task, int ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("ticks: " + ticks);
        }
        Set<Timeout> bucket = wheel.get((int) (((long) cursor + ticks) % wheel.size()));
        Timeout t = new Timeout(task, bucket, (ticks - 1) / wheel.size());
        synchronized (bucket) {
            bucket.add(t);
        }
        return t;
    }

    /** Schedules a task for the next tick. */
    public Timeout schedule(Runnable task) {
        return schedule(task, 1);
    }

    /** Cancels a timeout; false if it expired or was cancelled before. */
    public boolean cancel(Timeout timeout) {
        return timeout.cancel();
    }

    /**
     * Advances the wheel by one slot and runs what has expired.
     *
     * @return number of tasks run
     */
    public int tick() {
        List<Timeout> due = new ArrayList<>();
        synchronized (this) {
            cursor = (cursor + 1) % wheel.size();
            Set<Timeout> bucket = wheel.get(cursor);
            synchronized (bucket) {
                for (Iterator<Timeout> it = bucket.iterator(); it.hasNext(); ) {
                    Timeout t = it.next();
                    if (t.rounds > 0) {
                        t.rounds--;
                    } else {
                        it.remove();
                        if (t.expire()) {
                            due.add(t);
                        }
                    }
                }
            }
        }
        for (Timeout t : due) {
            t.task.run();
        }
        return due.size();
    }
}
