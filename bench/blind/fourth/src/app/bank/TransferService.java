package app.bank;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Accounts and the transfers between them.
 *
 * <p>Thread-safe; every method is atomic. Each account has its own lock. Operations that need several
 * accounts take their locks in ascending order of the account numbers. No account is opened while
 * {@link #total} is being computed.
 */
public class TransferService {

    private static final class Account {
        final String number;
        final ReentrantLock lock = new ReentrantLock();
        long balance;

        Account(String number) {
            this.number = number;
        }
    }

    private final ConcurrentMap<String, Account> accounts = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock registry = new ReentrantReadWriteLock();

    /** Opens an empty account; returns {@code false} if the number is taken. */
    public boolean open(String number) {
        registry.writeLock().lock();
        try {
            return accounts.putIfAbsent(number, new Account(number)) == null;
        } finally {
            registry.writeLock().unlock();
        }
    }

    /** Pays money into an account. */
    public void deposit(String number, long amount) {
        checkAmount(amount);
        Account account = account(number);
        account.lock.lock();
        try {
            account.balance = Math.addExact(account.balance, amount);
        } finally {
            account.lock.unlock();
        }
    }

    /** Transfers money; returns {@code false} and does nothing if the payer has not enough of it. */
    public boolean transfer(String from, String to, long amount) {
        checkAmount(amount);
        Account payer = account(from);
        Account payee = account(to);
        boolean payerFirst = payer.number.compareTo(payee.number) <= 0;
        Account first = payerFirst ? payer : payee;
        Account second = payerFirst ? payee : payer;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                if (payer.balance < amount) {
                    return false;
                }
                if (payer != payee) {
                    long increased = Math.addExact(payee.balance, amount);
                    payer.balance -= amount;
                    payee.balance = increased;
                }
                return true;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    /** Returns the balance of an account. */
    public long balance(String number) {
        Account account = account(number);
        account.lock.lock();
        try {
            return account.balance;
        } finally {
            account.lock.unlock();
        }
    }

    /** Returns the sum of all balances at one moment. */
    public long total() {
        registry.readLock().lock();
        Deque<Account> locked = new ArrayDeque<>();
        try {
            long sum = 0;
            for (Account account : new TreeMap<>(accounts).values()) {
                account.lock.lock();
                locked.push(account);
                sum += account.balance;
            }
            return sum;
        } finally {
            locked.forEach(a -> a.lock.unlock());
            registry.readLock().unlock();
        }
    }

    private Account account(String number) {
        Account account = accounts.get(number);
        if (account == null) {
            throw new IllegalArgumentException("no account " + number);
        }
        return account;
    }

    private static void checkAmount(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }
}
