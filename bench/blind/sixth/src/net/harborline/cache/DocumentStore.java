package net.harborline.cache;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Holds the most recently used documents of a workspace in memory. When the store is full the
 * document that has not been used for the longest time is dropped.
 *
 * <p>Lookups vastly outnumber changes, hence the read-write lock. Safe for use by several threads.
 */
public class DocumentStore {

    private final int capacity;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> documents;

    public DocumentStore(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.documents = new LinkedHashMap<>(16, 0.75f, true);
    }

    /** Returns the text of a document, or {@code null} if it is not in the store. */
    public String get(String id) {
        lock.readLock().lock();
        try {
            return documents.get(id);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Puts a document into the store and drops the eldest one if necessary. */
    public void put(String id, String text) {
        lock.writeLock().lock();
        try {
            documents.put(id, text);
            while (documents.size() > capacity) {
                String eldest = documents.keySet().iterator().next();
                documents.remove(eldest);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Removes a document. */
    public boolean remove(String id) {
        lock.writeLock().lock();
        try {
            return documents.remove(id) != null;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the ids in the store, least recently used first. */
    public List<String> ids() {
        lock.readLock().lock();
        try {
            List<String> result = new ArrayList<>(documents.size());
            for (String id : documents.keySet()) {
                result.add(id);
            }
            return result;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the number of documents held. */
    public int size() {
        lock.readLock().lock();
        try {
            return documents.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
