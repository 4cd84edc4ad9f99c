package com.acme.ledger;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fixed number of accounts, each with its own lock. Locks are always taken
 * in the order of the account numbers. Every method is atomic.
 */
public class Bank {

    private final long[] balances;
    private final ReentrantLock[] locks;

    public Bank() {
        this(2, 100);
    }

    /** Accounts numbered from 0, all with the same balance. */
    public Bank(int accounts, long initial) {
        if (accounts < 1 || accounts > 1000 || initial < 0) {
            throw new IllegalArgumentException();
        }
        balances = new long[accounts];
        Arrays.fill(balances, initial);
        locks = new ReentrantLock[accounts];
        Arrays.setAll(locks, i -> new ReentrantLock());
    }

    /**
     * Moves money.
     *
     * @return false if the balance does not suffice
     */
    public boolean transfer(int from, int to, long amount) {
        check(amount);
        if (from == to) {
            throw new IllegalArgumentException("same account: " + from);
        }
        ReentrantLock first = locks[Math.min(from, to)];
        ReentrantLock second = locks[Math.max(from, to)];
        first.lock();
        try {
            second.lock();
            try {
                if (balances[from] < amount) {
                    return false;
                }
                balances[from] -= amount;
                balances[to] += amount;
                return true;
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    /** Pays in and returns the new balance. */
    public long deposit(int account, long amount) {
        check(amount);
        locks[account].lock();
        try {
            return balances[account] += amount;
        } finally {
            locks[account].unlock();
        }
    }

    private static void check(long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }

    public long balance(int account) {
        locks[account].lock();
        try {
            return balances[account];
        } finally {
            locks[account].unlock();
        }
    }

    /** Sum of all balances at one moment. */
    public long total() {
        for (ReentrantLock l : locks) {
            l.lock();
        }
        try {
            long sum = 0;
            for (long b : balances) {
                sum += b;
            }
            return sum;
        } finally {
            for (ReentrantLock l : locks) {
                l.unlock();
            }
        }
    }
}
