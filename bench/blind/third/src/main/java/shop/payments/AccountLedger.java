package shop.payments;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Accounts and the transfers between them. Balances never become negative, and no money is made or
 * lost by transfers.
 *
 * <p>Thread-safe, and all operations are atomic. Transfers between different pairs of accounts do not
 * hinder each other. Locks are always taken in the order of the account ids.
 */
public final class AccountLedger {

    private static final class Account {

        final ReentrantLock lock = new ReentrantLock();
        long cents;

        Account(long cents) {
            this.cents = cents;
        }
    }

    private final NavigableMap<String, Account> accounts = new ConcurrentSkipListMap<>();
    /** Held while accounts are opened, and by those who need the set of accounts to stay as it is. */
    private final Object opening = new Object();

    private AccountLedger() {
    }

    /** Creates a ledger without accounts. */
    public static AccountLedger create() {
        return new AccountLedger();
    }

    /** Opens an account; returns false if the id is taken. */
    public boolean open(String id, long initialCents) {
        if (initialCents < 0) {
            throw new IllegalArgumentException("initialCents: " + initialCents);
        }
        synchronized (opening) {
            return accounts.putIfAbsent(id, new Account(initialCents)) == null;
        }
    }

    /** Pays money in and returns the new balance. */
    public long deposit(String id, long cents) {
        requirePositive(cents);
        Account account = account(id);
        account.lock.lock();
        try {
            account.cents = Math.addExact(account.cents, cents);
            return account.cents;
        } finally {
            account.lock.unlock();
        }
    }

    /**
     * Transfers money.
     *
     * @return false, with nothing transferred, if the balance of the first account is too low
     * @throws IllegalArgumentException if both accounts are the same
     * @throws NoSuchElementException if an account does not exist
     */
    public boolean transfer(String fromId, String toId, long cents) {
        requirePositive(cents);
        int order = fromId.compareTo(toId);
        if (order == 0) {
            throw new IllegalArgumentException("same account: " + fromId);
        }
        Account from = account(fromId);
        Account to = account(toId);
        Account first = order < 0 ? from : to;
        Account second = order < 0 ? to : from;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                if (from.cents < cents) {
                    return false;
                }
                to.cents = Math.addExact(to.cents, cents);
                from.cents -= cents;
                return true;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    /** Returns the balance of an account. */
    public long balance(String id) {
        Account account = account(id);
        account.lock.lock();
        try {
            return account.cents;
        } finally {
            account.lock.unlock();
        }
    }

    /** Returns the sum of all balances at one point in time. */
    public long totalCents() {
        synchronized (opening) {
            List<Account> locked = new ArrayList<>();
            try {
                for (Account account : accounts.values()) {
                    account.lock.lock();
                    locked.add(account);
                }
                return locked.stream().mapToLong(a -> a.cents).sum();
            } finally {
                locked.forEach(a -> a.lock.unlock());
            }
        }
    }

    /** Returns a sorted copy of the account ids. */
    public Set<String> accountIds() {
        synchronized (opening) {
            return new TreeSet<>(accounts.keySet());
        }
    }

    private Account account(String id) {
        Account account = accounts.get(id);
        if (account == null) {
            throw new NoSuchElementException("no account " + id);
        }
        return account;
    }

    private static void requirePositive(long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("cents: " + cents);
        }
    }
}
