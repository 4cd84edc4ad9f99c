package io.tarnwick.kit.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * A path of names such as {@code a/b/c}, used as a key. Paths cannot be changed; the
 * hash code and the text are worked out when they are first needed.
 *
 * <p>Instances may be shared freely among threads.
 */
public final class NodePath implements Comparable<NodePath> {

    /** The empty path. */
    public static final NodePath ROOT = new NodePath(Collections.emptyList());

    private final List<String> names;
    private int hash;
    private String text;

    private NodePath(List<String> names) {
        this.names = names;
    }

    /** The path made of the given names. */
    public static NodePath of(String... names) {
        NodePath path = ROOT;
        for (String name : names) {
            path = path.child(name);
        }
        return path;
    }

    /** The path that continues this one by a name. */
    public NodePath child(String name) {
        if (Objects.requireNonNull(name, "name").isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("name: " + name);
        }
        List<String> longer = new ArrayList<>(names.size() + 1);
        longer.addAll(names);
        longer.add(name);
        return new NodePath(Collections.unmodifiableList(longer));
    }

    /** The path without its last name, or null for the root. */
    public NodePath parent() {
        if (names.isEmpty()) {
            return null;
        }
        if (names.size() == 1) {
            return ROOT;
        }
        return new NodePath(names.subList(0, names.size() - 1));
    }

    /** The number of names. */
    public int depth() {
        return names.size();
    }

    /** Whether this path begins with the other. */
    public boolean startsWith(NodePath other) {
        int depth = other.depth();
        return depth <= depth() && names.subList(0, depth).equals(other.names);
    }

    @Override
    public int compareTo(NodePath other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof NodePath && names.equals(((NodePath) other).names);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = names.hashCode();
            hash = h;
        }
        return h;
    }

    @Override
    public String toString() {
        String t = text;
        if (t == null) {
            t = String.join("/", names);
            text = t;
        }
        return t;
    }
}
