package io.tarnwick.pricing;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntToLongFunction;

/**
 * Computes the prices of articles and remembers them. The price of an article may
 * depend on the prices of others, a bundle for instance on those of its parts;
 * the rule is given a lookup for that, which is this service. Dependencies must
 * not be circular.
 *
 * <p>Thread-safe. No price is computed twice unless it was invalidated.
 */
public class DerivedPriceService {

    /** How to get at the price of an article, in cents. */
    public interface PriceRule {
        long compute(int article, IntToLongFunction prices);
    }

    private final ConcurrentMap<Integer, Long> known = new ConcurrentHashMap<>();
    private final Lock[] stripes;
    private final PriceRule rule;

    public DerivedPriceService(PriceRule rule) {
        this(rule, 8);
    }

    /** @param concurrency how many threads are expected to compute at the same time */
    public DerivedPriceService(PriceRule rule, int concurrency) {
        this.rule = Objects.requireNonNull(rule, "rule");
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency: " + concurrency);
        }
        stripes = new Lock[concurrency];
        for (int i = 0; i < concurrency; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    /** The price of the article, computed on first use. */
    public long priceOf(int article) {
        Long price = known.get(article);
        if (price != null) {
            return price;
        }
        Lock lock = stripeFor(article);
        lock.lock();
        try {
            price = known.get(article);
            if (price == null) {
                price = rule.compute(article, this::priceOf);
                known.put(article, price);
            }
            return price;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the price of one article, not of those that depend on it. */
    public boolean invalidate(int article) {
        Lock lock = stripeFor(article);
        lock.lock();
        try {
            return known.remove(article) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the price is known without computing. */
    public boolean isKnown(int article) {
        return known.containsKey(article);
    }

    private Lock stripeFor(int article) {
        return stripes[Math.floorMod(article, stripes.length)];
    }
}
