package b2.accountbook;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fixed number of accounts, each with a lock of its own.
 *
 * <p>Thread-safe; every method is atomic.
 */
public class AccountBook {
    private final ReentrantLock[] locks;
    private final long[] balances;

    public AccountBook() {
        this(2, 100);
    }

    /** Creates accounts 0 to count-1 with the same balance. */
    public AccountBook(int count, long balance) {
        if (count < 1 || balance < 0) {
            throw new IllegalArgumentException();
        }
        locks = new ReentrantLock[count];
        balances = new long[count];
        for (int i = 0; i < count; i++) {
            locks[i] = new ReentrantLock();
            balances[i] = balance;
        }
    }

    /** Returns an account's balance. */
    public long balance(int account) {
        ReentrantLock lock = locks[account];
        lock.lock();
        try {
            return balances[account];
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves money; returns false, with no change, if the source's balance is too small.
     */
    public boolean transfer(int source, int target, long amount) {
        Objects.checkIndex(source, locks.length);
        Objects.checkIndex(target, locks.length);
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        ReentrantLock first = locks[Math.min(source, target)];
        ReentrantLock second = locks[Math.max(source, target)];
        first.lock();
        try {
            second.lock();
            try {
                if (balances[source] < amount) {
                    return false;
                }
                balances[source] -= amount;
                balances[target] += amount;
                return true;
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    /** Returns the sum of all balances, which never changes. */
    public long total() {
        int locked = 0;
        try {
            long sum = 0;
            for (; locked < locks.length; locked++) {
                locks[locked].lock();
            }
            for (long balance : balances) {
                sum += balance;
            }
            return sum;
        } finally {
            while (locked > 0) {
                locks[--locked].unlock();
            }
        }
    }
}
