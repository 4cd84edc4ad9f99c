package com.acme.exec;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after the other in the threads that submit them, with a
 * counter of work in progress: the thread that raises it from zero runs tasks
 * until it is zero again.
 *
 * <p>Thread-safe. {@link #execute} may return before its task has been run, if
 * another thread is running tasks; that thread runs it then. When no call of
 * execute is under way, all tasks have been run.
 */
public class DrainLoopExecutor implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inProgress = new AtomicInteger();

    /**
     * Runs the task or leaves it to the thread that runs tasks now. What a
     * task throws is dropped.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(Objects.requireNonNull(task));
        if (inProgress.getAndIncrement() != 0) {
            return;
        }
        do {
            Runnable r = tasks.poll();
            try {
                r.run();
            } catch (Throwable ignored) {
                // the next task must be run
            }
        } while (inProgress.decrementAndGet() != 0);
    }

    /**
     * Tasks that have not been finished; for monitoring only, as it may count
     * tasks of calls that have already returned.
     */
    public int unfinished() {
        return inProgress.get();
    }
}
