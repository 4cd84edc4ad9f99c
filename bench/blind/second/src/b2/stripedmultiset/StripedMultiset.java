package b2.stripedmultiset;

import java.util.HashMap;
import java.util.Map;

/**
 * A multiset whose elements are spread over segments with a lock each.
 *
 * <p>Thread-safe; every method is atomic. Methods that concern all elements lock all segments and
 * are slow.
 */
public class StripedMultiset<E> {
    private static final int SEGMENTS = 4;

    private static final class Segment<E> {
        final Map<E, Integer> counts = new HashMap<>();
        long total;
    }

    private final Segment<E>[] segments;

    @SuppressWarnings("unchecked")
    public StripedMultiset() {
        segments = (Segment<E>[]) new Segment<?>[SEGMENTS];
        for (int i = 0; i < SEGMENTS; i++) {
            segments[i] = new Segment<>();
        }
    }

    private Segment<E> segmentOf(Object element) {
        int hash = element.hashCode();
        return segments[(hash ^ (hash >>> 16)) & (SEGMENTS - 1)];
    }

    /** Adds an element once more; returns its new count. */
    public int add(E element) {
        Segment<E> segment = segmentOf(element);
        synchronized (segment) {
            segment.total++;
            return segment.counts.merge(element, 1, Integer::sum);
        }
    }

    /** Removes an element once; returns false if it was not there. */
    public boolean remove(E element) {
        Segment<E> segment = segmentOf(element);
        synchronized (segment) {
            Integer count = segment.counts.get(element);
            if (count == null) {
                return false;
            }
            if (count == 1) {
                segment.counts.remove(element);
            } else {
                segment.counts.put(element, count - 1);
            }
            segment.total--;
            return true;
        }
    }

    /** Returns how often the element is contained. */
    public int count(E element) {
        Segment<E> segment = segmentOf(element);
        synchronized (segment) {
            return segment.counts.getOrDefault(element, 0);
        }
    }

    /** Returns the number of elements, counting each as often as it is contained. */
    public long size() {
        return sizeFrom(0);
    }

    private long sizeFrom(int index) {
        if (index == SEGMENTS) {
            long sum = 0;
            for (Segment<E> segment : segments) {
                sum += segment.total;
            }
            return sum;
        }
        synchronized (segments[index]) {
            return sizeFrom(index + 1);
        }
    }
}
