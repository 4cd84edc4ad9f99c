package net.quillon.core.net;

import java.util.ArrayList;
import java.util.List;

/**
 * An absolute, normalized resource path such as {@code /reports/2023/q4}. Immutable, and used as a
 * map key throughout.
 */
public final class ResourcePath implements Comparable<ResourcePath> {

    public static final ResourcePath ROOT = new ResourcePath(List.of());

    private final List<String> segments;
    private int hash;
    private String text;

    private ResourcePath(List<String> segments) {
        this.segments = segments;
    }

    public static ResourcePath parse(String path) {
        return ROOT.resolve(path);
    }

    /** Resolves a relative path, in which {@code ..} steps up, against this one. */
    public ResourcePath resolve(String relative) {
        List<String> result = new ArrayList<>(segments);
        for (String segment : relative.split("/")) {
            if (segment.equals("..")) {
                if (!result.isEmpty()) {
                    result.remove(result.size() - 1);
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                result.add(segment);
            }
        }
        return new ResourcePath(List.copyOf(result));
    }

    public ResourcePath parent() {
        return segments.isEmpty()
                ? this
                : new ResourcePath(List.copyOf(segments.subList(0, segments.size() - 1)));
    }

    public boolean startsWith(ResourcePath other) {
        return segments.size() >= other.segments.size()
                && segments.subList(0, other.segments.size()).equals(other.segments);
    }

    public int depth() {
        return segments.size();
    }

    @Override
    public int compareTo(ResourcePath other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(Object o) {
        return this == o || o instanceof ResourcePath p && segments.equals(p.segments);
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
    public String toString() {
        String t = text;
        if (t == null) {
            t = '/' + String.join("/", segments);
            text = t;
        }
        return t;
    }
}
