package dev.harrow.svc.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Keeps the last so many events for the diagnostics page. When it is full a new event takes the
 * place of the oldest.
 *
 * @param <E> the event type
 */
public class RecentEvents<E> {

    private final Object[] ring;
    private long total;

    public RecentEvents(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        ring = new Object[capacity];
    }

    /** Adds an event and returns the one it displaced, or {@code null}. */
    @SuppressWarnings("unchecked")
    public synchronized E add(E event) {
        Objects.requireNonNull(event);
        int index = (int) (total % ring.length);
        E displaced = (E) ring[index];
        ring[index] = event;
        total++;
        return displaced;
    }

    /** Up to {@code max} events, newest first. */
    @SuppressWarnings("unchecked")
    public synchronized List<E> latest(int max) {
        int count = (int) Math.min(Math.min(total, ring.length), Math.max(max, 0));
        List<E> events = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            events.add((E) ring[(int) ((total - i) % ring.length)]);
        }
        return events;
    }

    /** The newest event the filter accepts, or {@code null}. */
    public E findLatest(Predicate<? super E> filter) {
        for (E event : latest(ring.length)) {
            if (filter.test(event)) {
                return event;
            }
        }
        return null;
    }

    /** How many events have ever been added. */
    public synchronized long total() {
        return total;
    }

    public synchronized int size() {
        return (int) Math.min(total, ring.length);
    }
}
