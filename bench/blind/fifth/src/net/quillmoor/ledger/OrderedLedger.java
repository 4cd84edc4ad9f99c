package net.quillmoor.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A ledger over a fixed set of accounts.
 *
 * <p>Thread-safe. Each account has a lock; whoever needs several takes them in the order of the keys.
 * Transfers are atomic and {@link #total()} is the exact sum at one moment.
 *
 * @param <K> the type of the account keys
 */
public final class OrderedLedger<K extends Comparable<K>> {

    private static final class Account {
        final ReentrantLock lock = new ReentrantLock();
        long balance;

        Account(long balance) {
            this.balance = balance;
        }
    }

    private final SortedMap<K, Account> accounts;

    private OrderedLedger(SortedMap<K, Account> accounts) {
        this.accounts = accounts;
    }

    /** Creates a ledger with the given accounts and opening balances. */
    public static <K extends Comparable<K>> OrderedLedger<K> opening(Map<K, Long> balances) {
        SortedMap<K, Account> accounts = new TreeMap<>();
        balances.forEach((key, balance) -> accounts.put(key, new Account(balance)));
        return new OrderedLedger<>(Collections.unmodifiableSortedMap(accounts));
    }

    /** Returns the balance of an account. */
    public long balance(K key) {
        Account account = require(key);
        account.lock.lock();
        try {
            return account.balance;
        } finally {
            account.lock.unlock();
        }
    }

    /** Pays money into an account from outside. */
    public void deposit(K key, long amount) {
        requirePositive(amount);
        Account account = require(key);
        account.lock.lock();
        try {
            account.balance += amount;
        } finally {
            account.lock.unlock();
        }
    }

    /**
     * Moves money between two accounts.
     *
     * @return false, with nothing changed, if there is not enough
     */
    public boolean transfer(K from, K to, long amount) {
        requirePositive(amount);
        int order = from.compareTo(to);
        if (order == 0) {
            throw new IllegalArgumentException("same account: " + from);
        }
        Account payer = require(from);
        Account payee = require(to);
        ReentrantLock outer = order < 0 ? payer.lock : payee.lock;
        ReentrantLock inner = order < 0 ? payee.lock : payer.lock;
        outer.lock();
        try {
            inner.lock();
            try {
                if (payer.balance < amount) {
                    return false;
                }
                payer.balance -= amount;
                payee.balance += amount;
                return true;
            } finally {
                inner.unlock();
            }
        } finally {
            outer.unlock();
        }
    }

    /** Returns the sum of all balances at one moment. */
    public long total() {
        Collection<Account> all = accounts.values();
        List<ReentrantLock> held = new ArrayList<>(all.size());
        try {
            for (Account account : all) {
                account.lock.lock();
                held.add(account.lock);
            }
            long sum = 0;
            for (Account account : all) {
                sum += account.balance;
            }
            return sum;
        } finally {
            held.forEach(ReentrantLock::unlock);
        }
    }

    private Account require(K key) {
        Account account = accounts.get(key);
        if (account == null) {
            throw new IllegalArgumentException("no such account: " + key);
        }
        return account;
    }

    private static void requirePositive(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }
}
