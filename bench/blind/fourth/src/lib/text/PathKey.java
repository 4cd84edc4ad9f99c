package lib.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An immutable path such as {@code /usr/local}, made for use as key of a map. Text form, hash code
 * and parent are computed when they are first needed and kept from then on.
 *
 * <p>Instances may be shared freely between threads. Equal paths have equal text, hash code and
 * parent, but the objects returned by {@link #parent()} and {@link #toString()} are not guaranteed to
 * be identical from call to call.
 */
public final class PathKey implements Comparable<PathKey> {
    private final List<String> segments;
    private int hash;
    private String text;
    private PathKey parent;

    private PathKey(List<String> segments) {
        this.segments = segments;
    }

    /** Holds the root path, created on first use. */
    private static final class Root {
        static final PathKey INSTANCE = new PathKey(List.of());
    }

    /** Returns the empty path; always the same object. */
    public static PathKey root() {
        return Root.INSTANCE;
    }

    /** Parses a path; empty segments are ignored. */
    public static PathKey parse(String path) {
        List<String> parts = new ArrayList<>();
        for (String s : path.split("/")) {
            if (!s.isEmpty()) {
                parts.add(s);
            }
        }
        return parts.isEmpty() ? root() : new PathKey(List.copyOf(parts));
    }

    /** Returns the path extended by one segment. */
    public PathKey child(String segment) {
        if (segment.isEmpty() || segment.indexOf('/') >= 0) {
            throw new IllegalArgumentException("segment: " + segment);
        }
        List<String> parts = new ArrayList<>(segments);
        parts.add(segment);
        return new PathKey(List.copyOf(parts));
    }

    /** Returns the path without its last segment, or {@code null} for the root. */
    public PathKey parent() {
        if (segments.isEmpty()) {
            return null;
        }
        PathKey p = parent;
        if (p == null) {
            int n = segments.size() - 1;
            p = n == 0 ? root() : new PathKey(List.copyOf(segments.subList(0, n)));
            parent = p;
        }
        return p;
    }

    /** Returns the number of segments. */
    public int depth() {
        return segments.size();
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = segments.hashCode();
            hash = h;
        }
        return h;
    }

    @Override
    public boolean equals(Object o) {
        return this == o || o instanceof PathKey other
                && hashCode() == other.hashCode()
                && Objects.equals(segments, other.segments);
    }

    @Override
    public int compareTo(PathKey o) {
        return toString().compareTo(o.toString());
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
