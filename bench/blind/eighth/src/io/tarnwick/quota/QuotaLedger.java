package io.tarnwick.quota;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the storage quota of tenants and lets tenants lend quota to each other.
 * Every tenant belongs to a service tier, a small number given on registration.
 *
 * <p>All methods may be called from any thread. A move between two tenants is
 * atomic: no caller sees quota missing or counted twice in {@link #combined}.
 */
public class QuotaLedger {

    private static final class Tenant {
        final String name;
        final int tier;
        long granted;
        long used;

        Tenant(String name, int tier, long granted) {
            this.name = name;
            this.tier = tier;
            this.granted = granted;
        }

        long free() {
            return granted - used;
        }
    }

    private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();

    /** Registers a tenant; false if it is known already. */
    public boolean register(String name, int tier, long granted) {
        if (granted < 0) {
            throw new IllegalArgumentException("granted < 0: " + granted);
        }
        return tenants.putIfAbsent(name, new Tenant(name, tier, granted)) == null;
    }

    /** Takes {@code amount} of the tenant's own quota into use. */
    public boolean consume(String name, long amount) {
        Tenant t = require(name);
        synchronized (t) {
            if (amount < 0 || t.free() < amount) {
                return false;
            }
            t.used += amount;
            return true;
        }
    }

    /** Gives back what was consumed before. */
    public void giveBack(String name, long amount) {
        Tenant t = require(name);
        synchronized (t) {
            t.used = Math.max(0, t.used - amount);
        }
    }

    /**
     * Moves free quota from one tenant to another.
     *
     * @return false if the lender has not enough free quota
     */
    public boolean lend(String from, String to, long amount) {
        Tenant lender = require(from);
        Tenant borrower = require(to);
        Tenant outer = lender.tier <= borrower.tier ? lender : borrower;
        Tenant inner = outer == lender ? borrower : lender;
        synchronized (outer) {
            synchronized (inner) {
                if (amount < 0 || lender.free() < amount) {
                    return false;
                }
                lender.granted -= amount;
                borrower.granted += amount;
                return true;
            }
        }
    }

    /** The free quota of two tenants together. */
    public long combined(String first, String second) {
        Tenant a = require(first);
        Tenant b = require(second);
        Tenant outer = a.tier <= b.tier ? a : b;
        Tenant inner = outer == a ? b : a;
        synchronized (outer) {
            synchronized (inner) {
                return a.free() + b.free();
            }
        }
    }

    /** The free quota of a tenant. */
    public long free(String name) {
        Tenant t = require(name);
        synchronized (t) {
            return t.free();
        }
    }

    private Tenant require(String name) {
        Tenant t = tenants.get(name);
        if (t == null) {
            throw new IllegalArgumentException("unknown tenant " + name);
        }
        return t;
    }
}
