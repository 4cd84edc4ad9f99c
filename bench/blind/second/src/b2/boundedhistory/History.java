package b2.boundedhistory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A thread-safe list of past entries, oldest first. */
public class History {
    private final Deque<String> entries = new ArrayDeque<>();

    /** Appends an entry. */
    public synchronized void add(String entry) {
        entries.addLast(entry);
    }

    /** Removes and returns the oldest entry, or null if there is none. */
    public synchronized String removeOldest() {
        return entries.pollFirst();
    }

    /** Returns the number of entries. */
    public synchronized int size() {
        return entries.size();
    }

    /** Returns the most recent entry, or null. */
    public synchronized String latest() {
        return entries.peekLast();
    }

    /** Returns a copy of the entries, oldest first. */
    public synchronized List<String> toList() {
        return new ArrayList<>(entries);
    }
}
