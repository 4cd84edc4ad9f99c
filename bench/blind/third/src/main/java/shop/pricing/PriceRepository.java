package shop.pricing;

import java.util.OptionalLong;

/** Durable store of prices. Implementations are thread-safe. */
public interface PriceRepository {

    /** Reads the price of an article in cents. */
    OptionalLong find(String sku);

    /** Writes the price of an article. */
    void save(String sku, long cents);
}
