package io.tarnwick.usage;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts billable units by tenant and reports them now and then.
 *
 * <p>Thread-safe. What is recorded is reported exactly once. Operations on a single
 * tenant are atomic; {@link #total} and {@link #report} go through the tenants one
 * after the other and are no snapshot: units recorded meanwhile may or may not be
 * included.
 */
public class UsageMeter {

    /** Where reports go. Implementations keep what they cannot deliver and do not throw. */
    public interface BillingGateway {
        void bill(String tenant, long units);
    }

    private final ConcurrentMap<String, AtomicLong> units = new ConcurrentHashMap<>();
    private final BillingGateway gateway;

    public UsageMeter(BillingGateway gateway) {
        this.gateway = Objects.requireNonNull(gateway, "gateway");
    }

    /** Records units of a tenant. */
    public void record(String tenant, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        AtomicLong counter = units.get(tenant);
        if (counter == null) {
            AtomicLong fresh = new AtomicLong();
            counter = units.putIfAbsent(tenant, fresh);
            if (counter == null) {
                counter = fresh;
            }
        }
        counter.addAndGet(amount);
    }

    /** Units of a tenant that no report has taken up yet. */
    public long pending(String tenant) {
        AtomicLong counter = units.get(tenant);
        return counter == null ? 0 : counter.get();
    }

    /** Units of all tenants that no report has taken up yet. */
    public long total() {
        long sum = 0;
        for (AtomicLong counter : units.values()) {
            sum += counter.get();
        }
        return sum;
    }

    /**
     * Reports what is pending and starts again from zero.
     *
     * @return what this call reported, by tenant
     */
    public Map<String, Long> report() {
        Map<String, Long> reported = new TreeMap<>();
        for (Map.Entry<String, AtomicLong> e : units.entrySet()) {
            if (e.getValue().get() == 0) {
                continue;
            }
            long amount = e.getValue().getAndSet(0);
            if (amount > 0) {
                reported.put(e.getKey(), amount);
                gateway.bill(e.getKey(), amount);
            }
        }
        return reported;
    }
}
