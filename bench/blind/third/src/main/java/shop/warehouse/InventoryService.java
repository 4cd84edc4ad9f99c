package shop.warehouse;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import shop.common.Service;

/**
 * Reserves stock for orders. The number of free pieces of an article never becomes negative.
 *
 * <p>Thread-safe. Articles are distributed over a fixed number of stripes with a lock each, so that
 * orders for different articles rarely wait for each other. Operations on one article are atomic, and
 * so is {@link #reserveAll}; only {@link #totalFree} is approximate.
 */
@Service
public class InventoryService {

    private static final class Stripe extends ReentrantLock {

        private static final long serialVersionUID = 1L;

        private final transient Map<String, Integer> free = new HashMap<>();
    }

    private final Stripe[] stripes;

    /** Creates a service with 16 stripes. */
    public InventoryService() {
        this(16);
    }

    /** Creates a service with the given number of stripes. */
    public InventoryService(int stripeCount) {
        if (stripeCount < 1) {
            throw new IllegalArgumentException("stripeCount: " + stripeCount);
        }
        stripes = new Stripe[stripeCount];
        for (int i = 0; i < stripeCount; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Adds pieces of an article and returns how many are free now. */
    public int restock(String sku, int pieces) {
        requirePositive(pieces);
        Stripe stripe = stripes[indexOf(sku)];
        stripe.lock();
        try {
            return stripe.free.merge(sku, pieces, Math::addExact);
        } finally {
            stripe.unlock();
        }
    }

    /** Reserves pieces of an article; returns false if there are not enough. */
    public boolean reserve(String sku, int pieces) {
        return reserveAll(Map.of(sku, pieces));
    }

    /**
     * Reserves pieces of several articles, or none at all if one of them lacks pieces.
     *
     * @param wanted the number of pieces of each article
     */
    public boolean reserveAll(Map<String, Integer> wanted) {
        Map<String, Integer> order = Map.copyOf(wanted);
        order.values().forEach(InventoryService::requirePositive);
        // ascending and without repetitions, whatever the order of the articles
        List<Integer> indexes = order.keySet().stream().map(this::indexOf).distinct().sorted().toList();
        int locked = 0;
        try {
            for (int index : indexes) {
                stripes[index].lock();
                locked++;
            }
            for (Map.Entry<String, Integer> e : order.entrySet()) {
                if (freeOf(e.getKey()) < e.getValue()) {
                    return false;
                }
            }
            order.forEach((sku, pieces) -> stripes[indexOf(sku)].free.merge(sku, -pieces, Integer::sum));
            return true;
        } finally {
            for (int index : indexes.subList(0, locked)) {
                stripes[index].unlock();
            }
        }
    }

    /** Returns the number of free pieces of an article. */
    public int free(String sku) {
        Stripe stripe = stripes[indexOf(sku)];
        stripe.lock();
        try {
            return freeOf(sku);
        } finally {
            stripe.unlock();
        }
    }

    /**
     * Returns the number of free pieces of all articles. The stripes are visited one after the other,
     * so the sum may include some and lack other changes made meanwhile.
     */
    public long totalFree() {
        long total = 0;
        for (Stripe stripe : stripes) {
            stripe.lock();
            try {
                for (int pieces : stripe.free.values()) {
                    total += pieces;
                }
            } finally {
                stripe.unlock();
            }
        }
        return total;
    }

    private int freeOf(String sku) {
        return stripes[indexOf(sku)].free.getOrDefault(sku, 0);
    }

    private int indexOf(String sku) {
        return Math.floorMod(Objects.requireNonNull(sku, "sku").hashCode(), stripes.length);
    }

    private static void requirePositive(int pieces) {
        if (pieces < 1) {
            throw new IllegalArgumentException("pieces: " + pieces);
        }
    }
}
