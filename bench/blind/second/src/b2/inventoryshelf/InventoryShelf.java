package b2.inventoryshelf;

/**
 * The stock of one article on one shelf. The stock never exceeds the shelf's capacity and never
 * falls below zero.
 *
 * <p>Instances may be shared by any number of threads without external synchronization.
 */
public class InventoryShelf {
    private final int capacity;
    private volatile Integer stock = 0;

    public InventoryShelf() {
        this(1000);
    }

    public InventoryShelf(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity");
        }
        this.capacity = capacity;
    }

    /**
     * Puts articles on the shelf.
     *
     * @return false, with no change, if there is not enough room
     */
    public boolean restock(int count) {
        requirePositive(count);
        synchronized (stock) {
            if (count > capacity - stock) {
                return false;
            }
            stock = stock + count;
            return true;
        }
    }

    /**
     * Takes articles off the shelf.
     *
     * @return false, with no change, if there are not enough
     */
    public boolean pick(int count) {
        requirePositive(count);
        synchronized (stock) {
            if (stock < count) {
                return false;
            }
            stock = stock - count;
            return true;
        }
    }

    /** Returns the number of articles on the shelf. */
    public int stock() {
        return stock;
    }

    private static void requirePositive(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException("count: " + count);
        }
    }
}
