package net.quillmoor.timing;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * Runs tasks a number of ticks after they were scheduled. Somebody has to drive the wheel by calling
 * {@link #tick()}; due tasks run on that thread.
 *
 * <p>Thread-safe: timers may be scheduled, cancelled and driven by different threads. A timer either
 * fires or is cancelled, never both.
 */
public final class TickWheel {

    private enum Phase { WAITING, FIRED, CANCELLED }

    /** A scheduled task. */
    public final class Timer {
        private final Runnable task;
        private int rounds;
        private volatile Phase phase = Phase.WAITING;

        private Timer(Runnable task, int rounds) {
            this.task = task;
            this.rounds = rounds;
        }

        /**
         * Cancels the timer.
         *
         * @return true if the task will not run because of this call
         */
        public boolean cancel() {
            if (phase != Phase.WAITING) {
                return false;
            }
            phase = Phase.CANCELLED;
            return true;
        }

        /** Tells whether the task has been started. */
        public boolean hasFired() {
            return phase == Phase.FIRED;
        }

        /** Tells whether the timer was cancelled before the task was started. */
        public boolean isCancelled() {
            return phase == Phase.CANCELLED;
        }

        private void fire() {
            if (phase == Phase.WAITING) {
                phase = Phase.FIRED;
                task.run();
            }
        }
    }

    private final List<List<Timer>> slots;
    private int hand;

    /**
     * Creates a wheel.
     *
     * @param slotCount the number of slots, positive
     */
    public TickWheel(int slotCount) {
        if (slotCount < 1) {
            throw new IllegalArgumentException("slotCount: " + slotCount);
        }
        slots = new ArrayList<>(slotCount);
        for (int i = 0; i < slotCount; i++) {
            slots.add(new ArrayList<>());
        }
    }

    /**
     * Schedules a task.
     *
     * @param ticks after how many ticks to run it, at least one
     */
    public synchronized Timer schedule(int ticks, Runnable task) {
        Objects.requireNonNull(task, "task");
        if (ticks < 1) {
            throw new IllegalArgumentException("ticks: " + ticks);
        }
        Timer timer = new Timer(task, (ticks - 1) / slots.size());
        slots.get((hand + ticks) % slots.size()).add(timer);
        return timer;
    }

    /**
     * Advances the wheel by one tick and runs the tasks that are due.
     *
     * @return the number of timers that came due, including cancelled ones
     */
    public int tick() {
        List<Timer> due = new ArrayList<>();
        synchronized (this) {
            hand = (hand + 1) % slots.size();
            Iterator<Timer> it = slots.get(hand).iterator();
            while (it.hasNext()) {
                Timer timer = it.next();
                if (timer.rounds-- <= 0) {
                    it.remove();
                    due.add(timer);
                }
            }
        }
        due.forEach(Timer::fire);
        return due.size();
    }

    /** Returns the number of timers on the wheel, including cancelled ones not yet swept. */
    public synchronized int size() {
        int sum = 0;
        for (List<Timer> slot : slots) {
            sum += slot.size();
        }
        return sum;
    }
}
