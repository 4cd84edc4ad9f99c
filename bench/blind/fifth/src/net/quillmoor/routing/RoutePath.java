package net.quillmoor.routing;

import java.util.Arrays;
import java.util.List;

/**
 * A path such as {@code /orders/eu/late} that messages are routed by.
 *
 * <p>Paths are immutable and can be shared between threads without further care. The hash code, the
 * text and the parent are worked out when first asked for; threads that ask at the same time may each
 * do that work and get equal, not necessarily identical, results.
 */
public final class RoutePath implements Comparable<RoutePath> {

    private final String[] segments;
    private int hash;
    private String text;
    private RoutePath parent;

    private RoutePath(String[] segments) {
        this.segments = segments;
    }

    /** Creates a path from its segments. */
    public static RoutePath of(String... segments) {
        String[] copy = segments.clone();
        for (String segment : copy) {
            if (segment.isEmpty() || segment.indexOf('/') >= 0) {
                throw new IllegalArgumentException("bad segment: '" + segment + "'");
            }
        }
        return new RoutePath(copy);
    }

    /** Parses a path that starts with a slash. */
    public static RoutePath parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("not a path: " + text);
        }
        return text.length() == 1 ? of() : of(text.substring(1).split("/", -1));
    }

    /** Returns the segments. */
    public List<String> segments() {
        return List.of(segments);
    }

    /** Returns the number of segments. */
    public int depth() {
        return segments.length;
    }

    /** Returns the path without its last segment, or null for the root. */
    public RoutePath parent() {
        if (segments.length == 0) {
            return null;
        }
        RoutePath result = parent;
        if (result == null) {
            result = new RoutePath(Arrays.copyOf(segments, segments.length - 1));
            parent = result;
        }
        return result;
    }

    /** Tells whether this path is the other one or lies below it. */
    public boolean isWithin(RoutePath other) {
        int depth = other.segments.length;
        return depth <= segments.length
                && Arrays.equals(segments, 0, depth, other.segments, 0, depth);
    }

    @Override
    public int compareTo(RoutePath other) {
        return Arrays.compare(segments, other.segments);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof RoutePath other && Arrays.equals(segments, other.segments);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(segments);
            hash = h;
        }
        return h;
    }

    @Override
    public String toString() {
        String t = text;
        if (t == null) {
            t = "/" + String.join("/", segments);
            text = t;
        }
        return t;
    }
}
