package shop.warehouse;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A place in the warehouse that holds goods. Locations belong to a zone, numbered from the dock
 * inwards.
 *
 * <p>Instances are thread-safe. Moving goods between two locations is atomic: nobody sees the goods
 * in both places or in neither.
 */
public class StockLocation {

    private final String code;
    private final int zone;
    private final Map<String, Integer> stock = new HashMap<>();

    /**
     * Creates an empty location.
     *
     * @param code the label on the shelf
     * @param zone the zone number, zero or greater
     */
    public StockLocation(String code, int zone) {
        this.code = Objects.requireNonNull(code, "code");
        if (zone < 0) {
            throw new IllegalArgumentException("zone: " + zone);
        }
        this.zone = zone;
    }

    public String code() {
        return code;
    }

    public int zone() {
        return zone;
    }

    /** Adds goods to this location and returns the quantity now held. */
    public synchronized int store(String sku, int quantity) {
        requirePositive(quantity);
        return stock.merge(sku, quantity, Math::addExact);
    }

    /**
     * Takes goods from this location.
     *
     * @return false, with nothing taken, if there are fewer than {@code quantity}
     */
    public synchronized boolean take(String sku, int quantity) {
        requirePositive(quantity);
        int held = stock.getOrDefault(sku, 0);
        if (held < quantity) {
            return false;
        }
        if (held == quantity) {
            stock.remove(sku);
        } else {
            stock.put(sku, held - quantity);
        }
        return true;
    }

    /** Returns the quantity of an article at this location. */
    public synchronized int quantity(String sku) {
        return stock.getOrDefault(sku, 0);
    }

    /**
     * Moves goods from this location to another one. The location nearer to the dock is locked first.
     *
     * @return false, with nothing moved, if there are fewer than {@code quantity} here
     * @throws IllegalArgumentException if the target is this location
     */
    public boolean moveTo(StockLocation target, String sku, int quantity) {
        if (target == this) {
            throw new IllegalArgumentException("same location: " + code);
        }
        StockLocation outer = zone <= target.zone ? this : target;
        StockLocation inner = outer == this ? target : this;
        synchronized (outer) {
            synchronized (inner) {
                if (!take(sku, quantity)) {
                    return false;
                }
                target.store(sku, quantity);
                return true;
            }
        }
    }

    private static void requirePositive(int quantity) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("quantity: " + quantity);
        }
    }

    @Override
    public String toString() {
        return code + "@" + zone;
    }
}
