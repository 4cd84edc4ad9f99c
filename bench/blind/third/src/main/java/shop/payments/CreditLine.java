package shop.payments;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The credit granted to a business customer. Purchases use up the credit, payments restore it. A line
 * can be frozen, after which it takes no purchases until it is released; payments are always welcome.
 *
 * <p>Thread-safe.
 */
public class CreditLine {

    private final Lock lock = new ReentrantLock();
    private final long limitCents;
    private long usedCents;
    private boolean frozen;

    /**
     * Creates an unused credit line.
     *
     * @param limitCents the credit granted, zero or greater
     */
    public CreditLine(long limitCents) {
        if (limitCents < 0) {
            throw new IllegalArgumentException("limitCents: " + limitCents);
        }
        this.limitCents = limitCents;
    }

    /**
     * Uses credit for a purchase.
     *
     * @return false, with no credit used, if the amount is more than what is available
     * @throws IllegalStateException if the line is frozen
     */
    public boolean use(long cents) {
        requirePositive(cents);
        lock.lock();
        requireUnfrozen();
        try {
            if (cents > limitCents - usedCents) {
                return false;
            }
            usedCents += cents;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Restores credit after a payment.
     *
     * @return the part of the payment that exceeded the debt
     */
    public long repay(long cents) {
        requirePositive(cents);
        lock.lock();
        try {
            long settled = Math.min(cents, usedCents);
            usedCents -= settled;
            return cents - settled;
        } finally {
            lock.unlock();
        }
    }

    /** Freezes the line; returns false if it was frozen already. */
    public boolean freeze() {
        return setFrozen(true);
    }

    /** Releases a frozen line; returns false if it was not frozen. */
    public boolean unfreeze() {
        return setFrozen(false);
    }

    /** Returns the credit that is left. */
    public long availableCents() {
        lock.lock();
        try {
            return limitCents - usedCents;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the credit granted. */
    public long limitCents() {
        return limitCents;
    }

    private boolean setFrozen(boolean value) {
        lock.lock();
        try {
            boolean changed = frozen != value;
            frozen = value;
            return changed;
        } finally {
            lock.unlock();
        }
    }

    private void requireUnfrozen() {
        if (frozen) {
            throw new IllegalStateException("credit line is frozen");
        }
    }

    private static void requirePositive(long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("cents: " + cents);
        }
    }
}
