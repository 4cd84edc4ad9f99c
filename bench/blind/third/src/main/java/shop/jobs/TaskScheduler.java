package shop.jobs;

/** Runs tasks periodically. Implementations are thread-safe. */
@FunctionalInterface
public interface TaskScheduler {

    /** A scheduled task. */
    @FunctionalInterface
    interface Handle {

        /** Ends the runs of the task. */
        void cancel();
    }

    /** Runs a task every so many milliseconds until the returned handle is cancelled. */
    Handle every(long periodMillis, Runnable task);
}
