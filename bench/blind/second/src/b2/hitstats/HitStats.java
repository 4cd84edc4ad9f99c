package b2.hitstats;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Statistical hit counters for pages, optimized for frequent updates.
 *
 * <p>Thread-safe. No hit is lost: when all calls of {@link #hit} have returned, the counts are
 * exact. A count that is read while hits are being recorded is only an estimate: it contains all
 * hits recorded before the call and any subset of those recorded during the call. Counts of
 * several pages that are read together, as by {@link #total()} and {@link #report()}, do not
 * belong to a common point in time.
 */
public class HitStats {
    private final ConcurrentMap<String, LongAdder> counters = new ConcurrentHashMap<>();

    /** Records a hit. */
    public void hit(String page) {
        counters.computeIfAbsent(page, p -> new LongAdder()).increment();
    }

    /** Records several hits. */
    public void hit(String page, int times) {
        if (times < 0) {
            throw new IllegalArgumentException("times: " + times);
        }
        counters.computeIfAbsent(page, p -> new LongAdder()).add(times);
    }

    /** Returns an estimate of the page's hits. */
    public long count(String page) {
        LongAdder counter = counters.get(page);
        return counter == null ? 0 : counter.sum();
    }

    /** Returns an estimate of the hits of all pages. */
    public long total() {
        long sum = 0;
        for (LongAdder counter : counters.values()) {
            sum += counter.sum();
        }
        return sum;
    }

    /**
     * Returns estimates by page. A page whose first hit is being recorded may be missing or be
     * reported with zero hits.
     */
    public Map<String, Long> report() {
        Map<String, Long> report = new TreeMap<>();
        counters.forEach((page, counter) -> report.put(page, counter.sum()));
        return report;
    }
}
