package net.harborline.pricing;

import java.math.BigDecimal;

/** Remote origin of list prices. Implementations must be safe for use by several threads. */
public interface PriceSource {

    /** Returns the current list price of the given article, never {@code null}. */
    BigDecimal fetch(String sku);
}
