package com.acme.barrier;

/**
 * A barrier at which a fixed number of threads wait for each other. When the
 * last one has come all go on, and the barrier can be used for the next round
 * right away. Thread-safe.
 */
public class RoundBarrier {

    private final int parties;
    private int arrived;
    private int rounds;

    public RoundBarrier() {
        this(2);
    }

    public RoundBarrier(int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties: " + parties);
        }
        this.parties = parties;
    }

    /** Waits until all parties have come. */
    public synchronized void await() throws InterruptedException {
        arrived++;
        if (arrived == parties) {
            arrived = 0;
            rounds++;
            notifyAll();
            return;
        }
        while (arrived != 0) {
            wait();
        }
    }

    /** Number of rounds completed. */
    public synchronized int rounds() {
        return rounds;
    }

    /** Number of threads waiting in this round. */
    public synchronized int waiting() {
        return arrived;
    }

    public int parties() {
        return parties;
    }
}
