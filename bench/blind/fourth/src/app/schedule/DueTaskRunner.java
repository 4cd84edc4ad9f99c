package app.schedule;

import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds tasks until they are due. It has no thread of its own: whoever drives the application calls
 * {@link #runDue} from time to time with the current time.
 *
 * <p>Thread-safe. Several threads may call {@link #runDue} at the same time to share the work. Every
 * task that is not cancelled is run exactly once and never before it is due. Tasks are begun in the
 * order of their due times, those with equal times in the order of scheduling; they may overlap if
 * several threads run them.
 */
public class DueTaskRunner {

    /** A scheduled task, to be used for cancelling it. */
    public static final class Ticket {
        private final long dueAt;
        private final long number;
        private final Runnable task;

        private Ticket(long dueAt, long number, Runnable task) {
            this.dueAt = dueAt;
            this.number = number;
            this.task = task;
        }

        /** Returns the time at which the task is due. */
        public long dueAt() {
            return dueAt;
        }
    }

    private static final Comparator<Ticket> ORDER =
            Comparator.<Ticket>comparingLong(t -> t.dueAt).thenComparingLong(t -> t.number);

    private final AtomicLong numbers = new AtomicLong();
    private final PriorityBlockingQueue<Ticket> waiting = new PriorityBlockingQueue<>(11, ORDER);

    /** Schedules a task for the given time. */
    public Ticket schedule(long dueAt, Runnable task) {
        Objects.requireNonNull(task);
        Ticket ticket = new Ticket(dueAt, numbers.getAndIncrement(), task);
        waiting.add(ticket);
        return ticket;
    }

    /**
     * Takes a task back.
     *
     * @return {@code true} if the task will not be run, {@code false} if it was run, is about to be
     *     run or was cancelled before
     */
    public boolean cancel(Ticket ticket) {
        return waiting.remove(ticket);
    }

    /**
     * Runs all tasks that are due. An exception thrown by a task ends the call and reaches the caller;
     * the other tasks stay scheduled.
     *
     * @param now the current time
     * @return the number of tasks run by this call
     */
    public int runDue(long now) {
        int count = 0;
        Ticket next = waiting.peek();
        while (next != null && next.dueAt <= now) {
            waiting.poll();
            next.task.run();
            count++;
            next = waiting.peek();
        }
        return count;
    }

    /** Returns the time at which the next task is due, or {@code Long.MAX_VALUE} if there is none. */
    public long nextDue() {
        Ticket next = waiting.peek();
        return next == null ? Long.MAX_VALUE : next.dueAt;
    }

    /** Returns the number of tasks not yet begun. */
    public int pending() {
        return waiting.size();
    }
}
