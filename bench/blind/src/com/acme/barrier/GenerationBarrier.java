package com.acme.barrier;

/**
 * A reusable barrier. Each round has a generation number, and a waiting thread
 * goes on when the generation is not its own any more, however many threads
 * wait for the next round by then. Thread-safe.
 */
public class GenerationBarrier {

    private final int parties;
    private int arrived;
    private long generation;

    public GenerationBarrier() {
        this(2);
    }

    public GenerationBarrier(int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties: " + parties);
        }
        this.parties = parties;
    }

    /**
     * Waits for the other parties.
     *
     * @return the number of the round, from 0
     * @throws InterruptedException if interrupted before the round was
     *         complete; the thread counts as not arrived then
     */
    public synchronized long await() throws InterruptedException {
        long mine = generation;
        if (++arrived == parties) {
            arrived = 0;
            generation++;
            notifyAll();
            return mine;
        }
        while (mine == generation) {
            try {
                wait();
            } catch (InterruptedException e) {
                if (mine == generation) {
                    arrived--;
                    throw e;
                }
                Thread.currentThread().interrupt();
            }
        }
        return mine;
    }

    /** Number of rounds completed. */
    public synchronized long rounds() {
        return generation;
    }

    /** Number of threads waiting for the round to complete. */
    public synchronized int waiting() {
        return arrived;
    }

    public int parties() {
        return parties;
    }
}
