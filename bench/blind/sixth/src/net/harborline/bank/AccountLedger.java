package net.harborline.bank;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * In-memory ledger of the settlement simulator.
 *
 * <p>Every account has its own monitor, so that transfers between unrelated accounts do not wait
 * for each other. A transfer holds both monitors; they are taken in a fixed order.
 */
public class AccountLedger {

    private static final class Account {
        final String id;
        long balance;

        Account(String id, long balance) {
            this.id = id;
            this.balance = balance;
        }
    }

    private final ConcurrentMap<String, Account> accounts = new ConcurrentHashMap<>();

    /**
     * Opens an account.
     *
     * @return {@code false} if there is one of that name already
     */
    public boolean open(String id, long initialBalance) {
        Objects.requireNonNull(id, "id");
        if (initialBalance < 0) {
            throw new IllegalArgumentException("negative balance");
        }
        return accounts.putIfAbsent(id, new Account(id, initialBalance)) == null;
    }

    /**
     * Moves money from one account to another.
     *
     * @return {@code false} if the balance of the paying account does not suffice
     */
    public boolean transfer(String fromId, String toId, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        Account from = require(fromId);
        Account to = require(toId);
        if (from == to) {
            return true;
        }
        boolean fromFirst = from.id.hashCode() < to.id.hashCode();
        Account first = fromFirst ? from : to;
        Account second = fromFirst ? to : from;
        synchronized (first) {
            synchronized (second) {
                if (from.balance < amount) {
                    return false;
                }
                from.balance -= amount;
                to.balance += amount;
                return true;
            }
        }
    }

    /** Pays money in. */
    public void deposit(String id, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        Account account = require(id);
        synchronized (account) {
            account.balance += amount;
        }
    }

    /** Returns the balance of an account. */
    public long balance(String id) {
        Account account = require(id);
        synchronized (account) {
            return account.balance;
        }
    }

    private Account require(String id) {
        Account account = accounts.get(id);
        if (account == null) {
            throw new IllegalArgumentException("no account " + id);
        }
        return account;
    }
}
