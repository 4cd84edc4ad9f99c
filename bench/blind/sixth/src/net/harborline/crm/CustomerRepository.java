package net.harborline.crm;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Access to customers, with a cache in front of the store.
 *
 * <p>All changes go through the repository, so what it returns after a {@link #save(Customer)} is
 * what has been saved. The repository is a singleton used by all request threads.
 */
public class CustomerRepository {

    private final CustomerStore store;
    private final ConcurrentMap<Long, Customer> cache = new ConcurrentHashMap<>();
    private final LongAdder misses = new LongAdder();

    public CustomerRepository(CustomerStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /** Finds a customer by its number. */
    public Optional<Customer> find(long id) {
        Customer cached = cache.get(id);
        if (cached != null) {
            return Optional.of(cached);
        }
        misses.increment();
        Customer loaded = store.load(id);
        if (loaded == null) {
            return Optional.empty();
        }
        Customer earlier = cache.putIfAbsent(id, loaded);
        return Optional.of(earlier != null ? earlier : loaded);
    }

    /** Saves a new or changed customer. */
    public void save(Customer customer) {
        Objects.requireNonNull(customer, "customer");
        store.write(customer);
        cache.remove(customer.id());
    }

    /** Deletes a customer. */
    public void delete(long id) {
        store.delete(id);
        cache.remove(id);
    }

    /** Returns an estimate of the number of lookups that had to go to the store. */
    public long misses() {
        return misses.sum();
    }
}
