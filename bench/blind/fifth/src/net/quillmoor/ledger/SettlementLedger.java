package net.quillmoor.ledger;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the balances of settlement accounts and moves money between them.
 *
 * <p>All methods may be called from any thread. A movement is atomic: no caller sees the money in
 * both accounts or in neither.
 */
public final class SettlementLedger {

    private static final class Account {
        final String id;
        final Lock lock = new ReentrantLock();
        long cents;

        Account(String id, long cents) {
            this.id = id;
            this.cents = cents;
        }
    }

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    /** Opens an account with a starting balance; returns false if the id is taken. */
    public boolean open(String id, long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("negative opening balance");
        }
        return accounts.putIfAbsent(id, new Account(id, cents)) == null;
    }

    /** Returns the balance of an account in cents. */
    public long balance(String id) {
        Account account = require(id);
        account.lock.lock();
        try {
            return account.cents;
        } finally {
            account.lock.unlock();
        }
    }

    /**
     * Moves an amount between two accounts.
     *
     * @return false, with nothing changed, if the source is short of money
     */
    public boolean transfer(String from, String to, long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("amount: " + cents);
        }
        if (from.equals(to)) {
            throw new IllegalArgumentException("same account: " + from);
        }
        Account source = require(from);
        Account target = require(to);
        boolean sourceFirst = source.id.compareTo(target.id) < 0;
        Account first = sourceFirst ? source : target;
        Account second = sourceFirst ? target : source;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                if (source.cents < cents) {
                    return false;
                }
                source.cents -= cents;
                target.cents += cents;
                return true;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    /**
     * Moves the whole balance of one account into another.
     *
     * @return the amount moved, zero if the account was empty
     */
    public long sweep(String from, String into) {
        if (from.equals(into)) {
            return 0;
        }
        Account source = require(from);
        Account target = require(into);
        source.lock.lock();
        try {
            long amount = source.cents;
            if (amount == 0) {
                return 0;
            }
            target.lock.lock();
            try {
                target.cents += amount;
                source.cents = 0;
            } finally {
                target.lock.unlock();
            }
            return amount;
        } finally {
            source.lock.unlock();
        }
    }

    private Account require(String id) {
        Account account = accounts.get(id);
        if (account == null) {
            throw new IllegalArgumentException("no such account: " + id);
        }
        return account;
    }
}
