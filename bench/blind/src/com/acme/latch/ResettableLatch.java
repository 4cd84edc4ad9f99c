package com.acme.latch;

/**
 * A count-down latch that can be set up again for the next round. Thread-safe.
 */
public class ResettableLatch {

    private final Object lock = new Object();
    private volatile int count;

    public ResettableLatch() {
        this(1);
    }

    public ResettableLatch(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count: " + count);
        }
        this.count = count;
    }

    /** Counts down; at zero all waiting threads go on. */
    public void countDown() {
        synchronized (lock) {
            if (count > 0 && --count == 0) {
                lock.notifyAll();
            }
        }
    }

    /** Waits until the count is zero; returns at once if it is. */
    public void await() throws InterruptedException {
        while (count > 0) {
            synchronized (lock) {
                lock.wait();
            }
        }
    }

    /**
     * Sets the count for the next round. Must not be called while threads
     * wait.
     */
    public void reset(int newCount) {
        if (newCount < 0) {
            throw new IllegalArgumentException("count: " + newCount);
        }
        synchronized (lock) {
            count = newCount;
            if (newCount == 0) {
                lock.notifyAll();
            }
        }
    }

    public int getCount() {
        return count;
    }
}
