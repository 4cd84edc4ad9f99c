package b2.schemacache;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * Caches schemas, which are loaded when they are asked for the first time.
 *
 * <p>Thread-safe. Each schema is loaded once, unless it is invalidated. The loader runs while the
 * cache is locked and must not use the cache.
 */
public class SchemaCache {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> schemas = new HashMap<>();
    private final Function<String, String> loader;
    private int loads;

    public SchemaCache() {
        this(name -> "schema:" + name);
    }

    public SchemaCache(Function<String, String> loader) {
        this.loader = Objects.requireNonNull(loader);
    }

    /** Returns the schema, loading it if necessary. */
    public String get(String name) {
        lock.readLock().lock();
        try {
            String schema = schemas.get(name);
            if (schema != null) {
                return schema;
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
            String schema = schemas.get(name);
            if (schema == null) {
                schema = Objects.requireNonNull(loader.apply(name));
                loads++;
                schemas.put(name, schema);
            }
            return schema;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Forgets a schema; returns whether it was cached. */
    public boolean invalidate(String name) {
        lock.writeLock().lock();
        try {
            return schemas.remove(name) != null;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the number of cached schemas. */
    public int size() {
        lock.readLock().lock();
        try {
            return schemas.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns how many schemas have been loaded. */
    public int loads() {
        lock.readLock().lock();
        try {
            return loads;
        } finally {
            lock.readLock().unlock();
        }
    }
}
