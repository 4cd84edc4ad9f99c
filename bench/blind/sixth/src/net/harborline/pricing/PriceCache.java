package net.harborline.pricing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keeps list prices close to the checkout so that the pricing backend is not asked for every line
 * of a basket.
 *
 * <p>A price is fetched on first use and kept until it is {@linkplain #invalidate(String)
 * invalidated}, which the product back office does whenever it publishes a new price list.
 * Instances are shared by all request threads.
 */
public class PriceCache {

    private static final class Entry {
        final BigDecimal amount;
        final long version;

        Entry(BigDecimal amount, long version) {
            this.amount = amount;
            this.version = version;
        }
    }

    private final PriceSource source;
    private final long version;
    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

    public PriceCache(PriceSource source) {
        this(source, 1L);
    }

    public PriceCache(PriceSource source, long version) {
        this.source = Objects.requireNonNull(source, "source");
        this.version = version;
    }

    /**
     * Returns the price of one piece.
     *
     * @param sku the article number
     * @return the price, never {@code null}
     */
    public BigDecimal price(String sku) {
        Objects.requireNonNull(sku, "sku");
        if (!entries.containsKey(sku)) {
            entries.putIfAbsent(sku, new Entry(source.fetch(sku), version));
        }
        return entries.get(sku).amount;
    }

    /** Returns the price of {@code quantity} pieces rounded to cents. */
    public BigDecimal total(String sku, int quantity) {
        if (quantity < 0) {
            throw new IllegalArgumentException("quantity: " + quantity);
        }
        return price(sku).multiply(BigDecimal.valueOf(quantity)).setScale(2, RoundingMode.HALF_UP);
    }

    /** Forgets the price of an article; the next request asks the backend again. */
    public void invalidate(String sku) {
        entries.remove(sku);
    }

    /** Forgets everything. */
    public void invalidateAll() {
        entries.clear();
    }

    /** Returns the number of prices held at the moment. */
    public int size() {
        return entries.size();
    }
}
