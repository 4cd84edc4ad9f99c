package b2.recentdocs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Documents by id, with the order in which they were used last.
 *
 * <p>Thread-safe, by a read-write lock.
 */
public class RecentDocs {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> documents = new HashMap<>();
    private final List<String> order = new ArrayList<>();

    /** Adds or replaces a document, which becomes the most recent one. */
    public void put(String id, String text) {
        lock.writeLock().lock();
        try {
            documents.put(id, text);
            order.remove(id);
            order.add(0, id);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the text of a document, which becomes the most recent one; or null. */
    public String open(String id) {
        lock.readLock().lock();
        try {
            String text = documents.get(id);
            if (text != null) {
                order.remove(id);
                order.add(0, id);
            }
            return text;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Removes a document; returns whether it was there. */
    public boolean remove(String id) {
        lock.writeLock().lock();
        try {
            order.remove(id);
            return documents.remove(id) != null;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the ids, the most recent one first, each once. */
    public List<String> recent() {
        lock.readLock().lock();
        try {
            return new ArrayList<>(order);
        } finally {
            lock.readLock().unlock();
        }
    }
}
