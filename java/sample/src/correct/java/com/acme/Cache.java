package com.acme;

import java.util.HashMap;
import java.util.Map;

/** Values by key, for several threads. */
public class Cache {
    private final Map<String, Integer> values = new HashMap<>();
    private int size;

    public synchronized void put(String key, int value) {
        if (values.put(key, value) == null) {
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
