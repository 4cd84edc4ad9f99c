package shop.pricing;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import shop.common.Service;

/**
 * Prices of the shop's articles, kept in memory in front of a {@link PriceRepository}.
 *
 * <p>All price changes of this node go through {@link #changePrice}. Once that method has returned,
 * {@link #price} answers with the new price.
 *
 * <p>This service is thread-safe.
 */
@Service
public class PriceBook {

    private final PriceRepository repository;
    private final ConcurrentMap<String, Long> cache = new ConcurrentHashMap<>();

    /** Creates a price book in front of the given repository. */
    public PriceBook(PriceRepository repository) {
        this.repository = Objects.requireNonNull(repository, "repository");
    }

    /** Creates a price book whose prices live in memory only, for tests and demos. */
    public static PriceBook inMemory(Map<String, Long> prices) {
        return new PriceBook(new MapPriceRepository(prices));
    }

    /**
     * Returns the price of an article in cents, reading it from the repository if it is not cached.
     *
     * @return the price, or empty for an article without one
     */
    public OptionalLong price(String sku) {
        Long cached = cache.get(sku);
        if (cached != null) {
            return OptionalLong.of(cached);
        }
        OptionalLong stored = repository.find(sku);
        if (stored.isPresent()) {
            cache.put(sku, stored.getAsLong());
        }
        return stored;
    }

    /**
     * Sets the price of an article.
     *
     * @throws IllegalArgumentException if the price is negative
     */
    public void changePrice(String sku, long cents) {
        Objects.requireNonNull(sku, "sku");
        if (cents < 0) {
            throw new IllegalArgumentException("negative price for " + sku);
        }
        repository.save(sku, cents);
        cache.remove(sku);
    }

    /** Returns the price of several pieces of an article, or empty if it has no price. */
    public OptionalLong priceOf(String sku, int pieces) {
        if (pieces < 0) {
            throw new IllegalArgumentException("pieces: " + pieces);
        }
        OptionalLong single = price(sku);
        return single.isPresent()
                ? OptionalLong.of(Math.multiplyExact(single.getAsLong(), (long) pieces))
                : single;
    }

    /** Returns the number of prices held in memory. */
    public int cachedCount() {
        return cache.size();
    }

    private static final class MapPriceRepository implements PriceRepository {

        private final ConcurrentMap<String, Long> rows;

        MapPriceRepository(Map<String, Long> prices) {
            this.rows = new ConcurrentHashMap<>(prices);
        }

        @Override
        public OptionalLong find(String sku) {
            Long cents = rows.get(sku);
            return cents == null ? OptionalLong.empty() : OptionalLong.of(cents);
        }

        @Override
        public void save(String sku, long cents) {
            rows.put(sku, cents);
        }
    }
}
