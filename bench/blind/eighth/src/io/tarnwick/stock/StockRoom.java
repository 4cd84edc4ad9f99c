package io.tarnwick.stock;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The stock of a warehouse by article, with reservations. A reservation takes its
 * quantity out of the free stock and either becomes a sale or gives it back.
 *
 * <p>Thread-safe.
 */
public class StockRoom {

    private static final class Shelf {
        volatile int free;
    }

    /** A quantity set aside. It is settled once, by a sale or by giving it back. */
    public static final class Reservation {
        private final Shelf shelf;
        private final int quantity;
        private boolean settled;

        private Reservation(Shelf shelf, int quantity) {
            this.shelf = shelf;
            this.quantity = quantity;
        }

        public int quantity() {
            return quantity;
        }

        /** Makes it a sale; false if it was settled before. */
        public boolean sell() {
            synchronized (shelf) {
                if (settled) {
                    return false;
                }
                settled = true;
                return true;
            }
        }

        /** Gives it back; false if it was settled before. */
        public boolean giveBack() {
            synchronized (shelf) {
                if (settled) {
                    return false;
                }
                settled = true;
                shelf.free += quantity;
                return true;
            }
        }

        public boolean isSettled() {
            synchronized (shelf) {
                return settled;
            }
        }
    }

    private final ConcurrentMap<String, Shelf> shelves = new ConcurrentHashMap<>();

    /** Puts goods on the shelf. */
    public void receive(String article, int quantity) {
        requirePositive(quantity);
        Shelf shelf = shelves.computeIfAbsent(article, a -> new Shelf());
        synchronized (shelf) {
            shelf.free += quantity;
        }
    }

    /** Reserves goods; null if there are not enough. */
    public Reservation reserve(String article, int quantity) {
        requirePositive(quantity);
        Shelf shelf = shelves.get(article);
        if (shelf == null || shelf.free < quantity) {
            return null;
        }
        synchronized (shelf) {
            if (shelf.free < quantity) {
                return null;
            }
            shelf.free -= quantity;
        }
        return new Reservation(shelf, quantity);
    }

    /** What can be reserved at the moment. */
    public int available(String article) {
        Shelf shelf = shelves.get(article);
        return shelf == null ? 0 : shelf.free;
    }

    private static void requirePositive(int quantity) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("quantity: " + quantity);
        }
    }
}
