package io.tarnwick.cluster;

import java.util.Objects;

/**
 * Elects a leader among the workers of one process. A worker campaigns until the
 * office is vacant, leads, and resigns. Other parts of the process may wait for a
 * particular worker to take office.
 *
 * <p>Thread-safe. A campaigning worker gets the office as soon as it is vacant and
 * no other worker has been quicker.
 */
public class LeaderElector {

    private String leader;
    private long term;

    /**
     * Waits until the office is vacant and takes it.
     *
     * @return the number of the new term
     * @throws InterruptedException if interrupted while waiting; the office is then not taken
     */
    public synchronized long campaign(String worker) throws InterruptedException {
        Objects.requireNonNull(worker, "worker");
        while (leader != null) {
            wait();
        }
        return takeOffice(worker);
    }

    /** Takes the office if it is vacant right now. */
    public synchronized boolean tryCampaign(String worker) {
        Objects.requireNonNull(worker, "worker");
        if (leader != null) {
            return false;
        }
        takeOffice(worker);
        return true;
    }

    /**
     * Leaves the office.
     *
     * @return false if the worker is not the leader
     */
    public synchronized boolean resign(String worker) {
        if (leader == null || !leader.equals(worker)) {
            return false;
        }
        leader = null;
        notify();
        return true;
    }

    /** Waits until the given worker is the leader. */
    public synchronized void awaitLeader(String worker) throws InterruptedException {
        while (!worker.equals(leader)) {
            wait();
        }
    }

    /** The leader, or null while the office is vacant. */
    public synchronized String leader() {
        return leader;
    }

    /** The number of terms so far. */
    public synchronized long term() {
        return term;
    }

    private long takeOffice(String worker) {
        leader = worker;
        term++;
        notifyAll();
        return term;
    }
}
