package net.harborline.bank;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Settles trades between a fixed number of members, numbered from 0.
 *
 * <p>Each member has a lock; operations that concern several members take the locks in ascending
 * order of the member numbers. All methods may be called from any thread.
 */
public class SettlementDesk {

    private final Lock[] locks;
    private final long[] positions;

    /**
     * Creates a desk.
     *
     * @param members number of members
     * @param opening opening position of each of them
     */
    public SettlementDesk(int members, long opening) {
        if (members < 1 || opening < 0) {
            throw new IllegalArgumentException();
        }
        locks = new Lock[members];
        positions = new long[members];
        for (int i = 0; i < members; i++) {
            locks[i] = new ReentrantLock();
            positions[i] = opening;
        }
    }

    /**
     * Moves an amount from one member to another.
     *
     * @return {@code false}, and nothing has changed, if the position of the giving member does
     *     not suffice
     */
    public boolean settle(int from, int to, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        Lock lower = locks[Math.min(from, to)];
        Lock upper = locks[Math.max(from, to)];
        lower.lock();
        try {
            upper.lock();
            try {
                if (positions[from] < amount) {
                    return false;
                }
                positions[from] -= amount;
                positions[to] += amount;
                return true;
            } finally {
                upper.unlock();
            }
        } finally {
            lower.unlock();
        }
    }

    /** Returns the position of a member. */
    public long position(int member) {
        locks[member].lock();
        try {
            return positions[member];
        } finally {
            locks[member].unlock();
        }
    }

    /** Returns the positions of all members at one moment. */
    public long[] positions() {
        return copyFrom(0);
    }

    /** Takes the locks from the given member on and copies the positions under them. */
    private long[] copyFrom(int member) {
        if (member == locks.length) {
            return positions.clone();
        }
        locks[member].lock();
        try {
            return copyFrom(member + 1);
        } finally {
            locks[member].unlock();
        }
    }
}
