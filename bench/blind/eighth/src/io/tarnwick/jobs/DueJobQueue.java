package io.tarnwick.jobs;

import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Jobs waiting for a worker, most urgent first and, among equally urgent ones, in
 * the order of submission. Workers wait while there is nothing to do.
 *
 * <p>Thread-safe. After {@link #close} no job is accepted, and workers get the jobs
 * that are left and then null.
 */
public class DueJobQueue {

    private static final class Job implements Comparable<Job> {
        final String name;
        final int urgency;
        final long number;

        Job(String name, int urgency, long number) {
            this.name = name;
            this.urgency = urgency;
            this.number = number;
        }

        @Override
        public int compareTo(Job other) {
            int c = Integer.compare(other.urgency, urgency);
            return c != 0 ? c : Long.compare(number, other.number);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition available = lock.newCondition();
    private final PriorityQueue<Job> jobs = new PriorityQueue<>();
    private long submitted;
    private boolean closed;

    /** Submits a job; false if the queue is closed. */
    public boolean submit(String name, int urgency) {
        Objects.requireNonNull(name, "name");
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            jobs.add(new Job(name, urgency, submitted++));
            available.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next job, waiting for one; null if the queue is closed and empty. */
    public String take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (jobs.isEmpty()) {
                if (closed) {
                    return null;
                }
                available.await();
            }
            return jobs.poll().name;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next job, waiting for at most the given time; null if there was none. */
    public String poll(long time, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(time);
        lock.lockInterruptibly();
        try {
            while (jobs.isEmpty()) {
                if (closed || nanos <= 0) {
                    return null;
                }
                nanos = available.awaitNanos(nanos);
            }
            return jobs.poll().name;
        } finally {
            lock.unlock();
        }
    }

    /** Withdraws all jobs of a name and tells how many there were. */
    public int withdraw(String name) {
        lock.lock();
        try {
            int before = jobs.size();
            jobs.removeIf(job -> job.name.equals(name));
            return before - jobs.size();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            available.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of jobs waiting. */
    public int size() {
        lock.lock();
        try {
            return jobs.size();
        } finally {
            lock.unlock();
        }
    }
}
