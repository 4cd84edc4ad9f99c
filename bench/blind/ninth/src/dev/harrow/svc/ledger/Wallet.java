package dev.harrow.svc.ledger;

import java.util.Objects;

/**
 * A balance in cents that never goes below zero. Amounts can be moved between wallets in any
 * direction and from any thread.
 */
public final class Wallet {

    private static final Object TIE = new Object();

    private final Object lock = new Object();
    private final String owner;
    private long cents;

    public Wallet(String owner, long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("cents: " + cents);
        }
        this.owner = Objects.requireNonNull(owner);
        this.cents = cents;
    }

    public String owner() {
        return owner;
    }

    public long balance() {
        synchronized (lock) {
            return cents;
        }
    }

    public void deposit(long amount) {
        positive(amount);
        synchronized (lock) {
            cents = Math.addExact(cents, amount);
        }
    }

    /** Takes out the amount, or nothing if the balance does not cover it. */
    public boolean withdraw(long amount) {
        positive(amount);
        synchronized (lock) {
            if (cents < amount) {
                return false;
            }
            cents -= amount;
            return true;
        }
    }

    /** Moves the amount to another wallet, or nothing if the balance does not cover it. */
    public boolean moveTo(Wallet other, long amount) {
        positive(amount);
        int mine = System.identityHashCode(lock);
        int theirs = System.identityHashCode(other.lock);
        if (mine < theirs) {
            synchronized (lock) {
                synchronized (other.lock) {
                    return move(other, amount);
                }
            }
        } else if (mine > theirs) {
            synchronized (other.lock) {
                synchronized (lock) {
                    return move(other, amount);
                }
            }
        }
        synchronized (TIE) {
            synchronized (lock) {
                synchronized (other.lock) {
                    return move(other, amount);
                }
            }
        }
    }

    private boolean move(Wallet other, long amount) {
        if (cents < amount) {
            return false;
        }
        if (other != this) {
            other.cents = Math.addExact(other.cents, amount);
            cents -= amount;
        }
        return true;
    }

    private static long positive(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        return amount;
    }
}
