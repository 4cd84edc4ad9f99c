package b2.boundedhistory;

/**
 * A {@link History} that keeps the most recent entries only: {@link #size()} never exceeds the
 * limit, since adding an entry to a full history drops the oldest one in the same step.
 *
 * <p>Thread-safe, like its superclass.
 */
public class BoundedHistory extends History {
    private final int limit;

    public BoundedHistory() {
        this(1);
    }

    public BoundedHistory(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /** Returns the largest number of entries that are kept. */
    public int limit() {
        return limit;
    }

    @Override
    public void add(String entry) {
        while (size() >= limit) {
            removeOldest();
        }
        super.add(entry);
    }
}
