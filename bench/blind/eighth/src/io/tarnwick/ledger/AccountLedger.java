package io.tarnwick.ledger;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accounts with balances and transfers between them. Accounts are never closed.
 *
 * <p>Thread-safe; a transfer is atomic, also for {@link #balanceOfBoth}.
 */
public class AccountLedger {

    private static final class Account {
        final long serial;
        long balance;

        Account(long serial, long balance) {
            this.serial = serial;
            this.balance = balance;
        }
    }

    private final ConcurrentMap<String, Account> accounts = new ConcurrentHashMap<>();
    private final AtomicLong serials = new AtomicLong();

    /**
     * Opens an account.
     *
     * @return false if there is one of that name
     */
    public boolean open(String name, long balance) {
        if (balance < 0) {
            throw new IllegalArgumentException("balance: " + balance);
        }
        return accounts.putIfAbsent(name, new Account(serials.incrementAndGet(), balance)) == null;
    }

    /** Pays into an account. */
    public void deposit(String name, long amount) {
        Account account = account(name);
        positive(amount);
        synchronized (account) {
            account.balance += amount;
        }
    }

    /**
     * Moves money.
     *
     * @return false if the source has not enough
     * @throws IllegalArgumentException if source and destination are the same
     */
    public boolean transfer(String source, String destination, long amount) {
        Account from = account(source);
        Account to = account(destination);
        positive(amount);
        if (from == to) {
            throw new IllegalArgumentException("transfer within " + source);
        }
        if (from.serial < to.serial) {
            synchronized (from) {
                synchronized (to) {
                    return move(from, to, amount);
                }
            }
        }
        synchronized (to) {
            synchronized (from) {
                return move(from, to, amount);
            }
        }
    }

    /** The sum of two balances. */
    public long balanceOfBoth(String first, String second) {
        Account a = account(first);
        Account b = account(second);
        Account low = a.serial < b.serial ? a : b;
        Account high = low == a ? b : a;
        synchronized (low) {
            synchronized (high) {
                return a.balance + b.balance;
            }
        }
    }

    /** The balance of an account. */
    public long balance(String name) {
        Account account = account(name);
        synchronized (account) {
            return account.balance;
        }
    }

    private static boolean move(Account from, Account to, long amount) {
        if (from.balance < amount) {
            return false;
        }
        from.balance -= amount;
        to.balance += amount;
        return true;
    }

    private static void positive(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }

    private Account account(String name) {
        Account account = accounts.get(name);
        if (account == null) {
            throw new IllegalArgumentException("no account " + name);
        }
        return account;
    }
}
