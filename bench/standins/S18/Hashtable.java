/*
 * Subject S18, stands for java.util.Hashtable of JDK 1.4, where hashCode still asks every key. 19 public methods.
 *
 * Pattern: hashCode holds the lock and calls hashCode of all keys and values. A table that is asked while it is being
 *          asked answers 0, so that tables that hold each other are no endless loop for one thread.
 * Pair:    a.hashCode() ∥ b.hashCode() after a.put(b, x) and b.put(a, x): each is a key of the other.
 *          a.equals(b) ∥ b.equals(a) needs no preparation. All that hashes a key (put, get, remove, containsKey) or
 *          compares or writes out what it holds does the same to tables that hold tables.
 * Shows:   deadlock.
 */
package standin.s18;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A map with a list of entries in every slot.
 *
 * <p>It is no java.util.Map: those have gained public methods since, and the number of methods is to stay.
 */
public class Hashtable implements Cloneable {
    private static final int SLOTS = 11;

    private Entry[] slots = new Entry[SLOTS];
    private int count;
    private boolean hashing;

    private static final class Entry {
        final Object key;
        final int hash;
        Object value;
        Entry next;

        Entry(Object key, int hash, Object value, Entry next) {
            this.key = key;
            this.hash = hash;
            this.value = value;
            this.next = next;
        }
    }

    public Hashtable() {
    }

    private static int slot(int hash) {
        return (hash & Integer.MAX_VALUE) % SLOTS;
    }

    private Entry find(Object key) {
        int hash = key.hashCode();
        for (Entry entry = slots[slot(hash)]; entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.key.equals(key)) {
                return entry;
            }
        }
        return null;
    }

    private List<Entry> all() {
        List<Entry> all = new ArrayList<>();
        for (Entry first : slots) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                all.add(entry);
            }
        }
        return all;
    }

    public synchronized int size() {
        return count;
    }

    public synchronized boolean isEmpty() {
        return count == 0;
    }

    public synchronized Enumeration<Object> keys() {
        return Collections.enumeration(allKeys());
    }

    public synchronized Enumeration<Object> elements() {
        return Collections.enumeration(allValues());
    }

    private List<Object> allKeys() {
        List<Object> keys = new ArrayList<>();
        for (Entry entry : all()) {
            keys.add(entry.key);
        }
        return keys;
    }

    private List<Object> allValues() {
        List<Object> values = new ArrayList<>();
        for (Entry entry : all()) {
            values.add(entry.value);
        }
        return values;
    }

    public synchronized boolean contains(Object value) {
        for (Entry entry : all()) {
            if (entry.value.equals(value)) {
                return true;
            }
        }
        return false;
    }

    public boolean containsValue(Object value) {
        return contains(value);
    }

    public synchronized boolean containsKey(Object key) {
        return find(key) != null;
    }

    public synchronized Object get(Object key) {
        Entry entry = find(key);
        return entry == null ? null : entry.value;
    }

    public synchronized Object put(Object key, Object value) {
        if (value == null) {
            throw new NullPointerException();
        }
        Entry entry = find(key);
        if (entry != null) {
            Object old = entry.value;
            entry.value = value;
            return old;
        }
        int hash = key.hashCode();
        slots[slot(hash)] = new Entry(key, hash, value, slots[slot(hash)]);
        count++;
        return null;
    }

    public synchronized Object remove(Object key) {
        int hash = key.hashCode();
        Entry before = null;
        for (Entry entry = slots[slot(hash)]; entry != null; before = entry, entry = entry.next) {
            if (entry.hash == hash && entry.key.equals(key)) {
                if (before == null) {
                    slots[slot(hash)] = entry.next;
                } else {
                    before.next = entry.next;
                }
                count--;
                return entry.value;
            }
        }
        return null;
    }

    public synchronized void putAll(Hashtable other) {
        synchronized (other) {
            for (Entry entry : other.all()) {
                put(entry.key, entry.value);
            }
        }
    }

    public synchronized void clear() {
        slots = new Entry[SLOTS];
        count = 0;
    }

    @Override
    public synchronized Object clone() {
        try {
            Hashtable copy = (Hashtable) super.clone();
            copy.slots = new Entry[SLOTS];
            copy.hashing = false;
            for (Entry entry : all()) {
                int slot = slot(entry.hash);
                copy.slots[slot] = new Entry(entry.key, entry.hash, entry.value, copy.slots[slot]);
            }
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder("{");
        for (Entry entry : all()) {
            text.append(text.length() == 1 ? "" : ", ");
            text.append(entry.key == this ? "(this)" : entry.key).append("=");
            text.append(entry.value == this ? "(this)" : entry.value);
        }
        return text.append("}").toString();
    }

    // These three are copies.

    public synchronized Set<Object> keySet() {
        return new HashSet<>(allKeys());
    }

    public synchronized Set<Object> entrySet() {
        Set<Object> entries = new HashSet<>();
        for (Entry entry : all()) {
            entries.add(new java.util.AbstractMap.SimpleImmutableEntry<>(entry.key, entry.value));
        }
        return entries;
    }

    public synchronized Collection<Object> values() {
        return allValues();
    }

    @Override
    public synchronized boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        if (!(other instanceof Hashtable)) {
            return false;
        }
        Hashtable that = (Hashtable) other;
        if (that.size() != count) {
            return false;
        }
        for (Entry entry : all()) {
            if (!entry.value.equals(that.get(entry.key))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized int hashCode() {
        if (hashing) {
            return 0;
        }
        hashing = true;
        try {
            int sum = 0;
            for (Entry entry : all()) {
                sum += entry.key.hashCode() ^ entry.value.hashCode();
            }
            return sum;
        } finally {
            hashing = false;
        }
    }
}
