package org.larkspur.util;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key made of several parts, for use in hash maps. The parts must be immutable. Hash code and
 * string form are computed when they are needed for the first time.
 */
public final class CompositeKey implements Comparable<CompositeKey> {

    private final String[] parts;

    private int hash;
    private boolean hashIsZero;
    private String text;

    private CompositeKey(String[] parts) {
        this.parts = parts;
    }

    /**
     * Creates a key.
     *
     * @param parts the parts, none of them null
     * @return the key
     */
    public static CompositeKey of(String... parts) {
        String[] copy = parts.clone();
        for (String part : copy) {
            Objects.requireNonNull(part, "part");
        }
        return new CompositeKey(copy);
    }

    /**
     * Returns a key with a further part.
     *
     * @param part the part to append
     * @return the new key
     */
    public CompositeKey append(String part) {
        Objects.requireNonNull(part, "part");
        String[] copy = Arrays.copyOf(parts, parts.length + 1);
        copy[parts.length] = part;
        return new CompositeKey(copy);
    }

    /** Returns the number of parts. */
    public int length() {
        return parts.length;
    }

    /** Returns a part. */
    public String part(int index) {
        return parts[index];
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof CompositeKey && Arrays.equals(parts, ((CompositeKey) other).parts);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0 && !hashIsZero) {
            for (String part : parts) {
                h = 31 * h + part.hashCode();
            }
            if (h == 0) {
                hashIsZero = true;
            } else {
                hash = h;
            }
        }
        return h;
    }

    @Override
    public int compareTo(CompositeKey other) {
        return Arrays.compare(parts, other.parts);
    }

    @Override
    public String toString() {
        String s = text;
        if (s == null) {
            s = String.join("/", parts);
            text = s;
        }
        return s;
    }
}
