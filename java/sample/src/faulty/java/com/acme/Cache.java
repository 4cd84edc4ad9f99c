package com.acme;

import java.util.HashMap;
import java.util.Map;

/** Values by key, for several threads. The lock of {@link #put} is given up too early. */
public class Cache {
    private final Map<String, Integer> values = new HashMap<>();
    private int size;

    public void put(String key, int value) {
        Integer before;
        synchronized (this) {
            before = values.put(key, value);
        }
        if (before == null) {
            size++;
        }
    }

    public synchronized Integer get(String key) {
        return values.get(key);
    }

    public synchronized int size() {
        return size;
    }
}
