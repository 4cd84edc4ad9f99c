package com.acme.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Addresses by service name. The whole content is an immutable map that is
 * replaced by compare-and-set, so that every method is atomic and reading
 * never blocks.
 */
public class ServiceRegistry {

    private final AtomicReference<Map<String, List<String>>> content =
            new AtomicReference<>(Map.of());

    /**
     * Adds an address to a service.
     *
     * @return false if the service has this address already
     */
    public boolean register(String service, String address) {
        Objects.requireNonNull(address);
        for (;;) {
            Map<String, List<String>> old = content.get();
            List<String> addresses = old.getOrDefault(service, List.of());
            if (addresses.contains(address)) {
                return false;
            }
            List<String> longer = new ArrayList<>(addresses);
            longer.add(address);
            Map<String, List<String>> copy = new HashMap<>(old);
            copy.put(service, List.copyOf(longer));
            if (content.compareAndSet(old, copy)) {
                return true;
            }
        }
    }

    /** Removes an address; a service without addresses is gone. */
    public boolean deregister(String service, String address) {
        for (;;) {
            Map<String, List<String>> old = content.get();
            List<String> addresses = old.get(service);
            if (addresses == null || !addresses.contains(address)) {
                return false;
            }
            Map<String, List<String>> copy = new HashMap<>(old);
            if (addresses.size() == 1) {
                copy.remove(service);
            } else {
                List<String> shorter = new ArrayList<>(addresses);
                shorter.remove(address);
                copy.put(service, List.copyOf(shorter));
            }
            if (content.compareAndSet(old, copy)) {
                return true;
            }
        }
    }

    /** Addresses of a service in order of registration, empty if unknown. */
    public List<String> lookup(String service) {
        List<String> l = content.get().get(service);
        return l == null ? List.of() : l;
    }

    /** Number of services. */
    public int services() {
        return content.get().size();
    }

    /** Removes everything and returns the number of services there were. */
    public int clear() {
        return content.getAndSet(Map.of()).size();
    }
}
