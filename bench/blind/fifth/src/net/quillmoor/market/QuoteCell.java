package net.quillmoor.market;

import java.util.concurrent.locks.StampedLock;

/**
 * The current bid and ask of an instrument.
 *
 * <p>Thread-safe. Bid and ask are always read as the pair that was written together; reading does
 * not hold up the writer.
 */
public final class QuoteCell {

    /**
     * A pair of prices.
     *
     * @param bid the highest price offered
     * @param ask the lowest price asked, not below the bid
     */
    public record Quote(long bid, long ask) {
        /** Returns the difference of the prices. */
        public long spread() {
            return ask - bid;
        }
    }

    private final String instrument;
    private final StampedLock lock = new StampedLock();
    private long bid;
    private long ask;
    private long updates;

    /** Creates a cell with both prices zero. */
    public QuoteCell(String instrument) {
        this.instrument = instrument;
    }

    /** Returns the instrument. */
    public String instrument() {
        return instrument;
    }

    /**
     * Sets both prices.
     *
     * @throws IllegalArgumentException if the ask is below the bid
     */
    public void update(long newBid, long newAsk) {
        if (newAsk < newBid) {
            throw new IllegalArgumentException("crossed: " + newBid + " > " + newAsk);
        }
        long stamp = lock.writeLock();
        try {
            bid = newBid;
            ask = newAsk;
            updates++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Moves both prices by the same amount. */
    public void shift(long by) {
        long stamp = lock.writeLock();
        try {
            bid += by;
            ask += by;
            updates++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Returns the current prices. */
    public Quote quote() {
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0) {
            long b = bid;
            long a = ask;
            if (lock.validate(stamp)) {
                return new Quote(b, a);
            }
        }
        stamp = lock.readLock();
        try {
            return new Quote(bid, ask);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /**
     * Sets both prices to those given if the spread would get smaller.
     *
     * @return whether the prices were changed
     */
    public boolean tighten(long newBid, long newAsk) {
        if (newAsk < newBid) {
            throw new IllegalArgumentException("crossed: " + newBid + " > " + newAsk);
        }
        long stamp = lock.readLock();
        try {
            while (newAsk - newBid < ask - bid) {
                long upgraded = lock.tryConvertToWriteLock(stamp);
                if (upgraded != 0) {
                    stamp = upgraded;
                    bid = newBid;
                    ask = newAsk;
                    updates++;
                    return true;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
            return false;
        } finally {
            lock.unlock(stamp);
        }
    }

    /** Returns how often the prices have been set. */
    public long updates() {
        long stamp = lock.readLock();
        try {
            return updates;
        } finally {
            lock.unlockRead(stamp);
        }
    }
}
