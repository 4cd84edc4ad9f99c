package com.acme.ledger;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Accounts by number with transfers between them. Each account has its own
 * lock, so that transfers of different accounts run in parallel. Thread-safe.
 */
public class Ledger {

    private static final class Account {
        private long balance;

        Account(long balance) {
            this.balance = balance;
        }
    }

    private final ConcurrentMap<Integer, Account> accounts = new ConcurrentHashMap<>();

    /** A ledger without accounts. */
    public Ledger() {
    }

    /**
     * Opens an account.
     *
     * @return false if the number is in use
     */
    public boolean open(int number, long balance) {
        if (balance < 0) {
            throw new IllegalArgumentException("balance: " + balance);
        }
        return accounts.putIfAbsent(number, new Account(balance)) == null;
    }

    private Account account(int number) {
        Account a = accounts.get(number);
        if (a == null) {
            throw new IllegalArgumentException("no account " + number);
        }
        return a;
    }

    /**
     * Moves money between two accounts.
     *
     * @return false if the balance does not suffice
     */
    public boolean transfer(int from, int to, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        Account source = account(from);
        Account target = account(to);
        synchronized (source) {
            if (source.balance < amount) {
                return false;
            }
            synchronized (target) {
                source.balance -= amount;
                target.balance += amount;
                return true;
            }
        }
    }

    /** Pays money in and returns the balance after it. */
    public long deposit(int number, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        Account a = account(number);
        synchronized (a) {
            a.balance += amount;
            return a.balance;
        }
    }

    public long balance(int number) {
        Account a = account(number);
        synchronized (a) {
            return a.balance;
        }
    }
}
