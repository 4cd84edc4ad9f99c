package net.harborline.text;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Fingerprint of a piece of content. Immutable.
 *
 * <p>Fingerprints are used as keys of large tables, therefore hash code and text form are computed
 * on first use and kept.
 */
public final class Fingerprint implements Comparable<Fingerprint> {

    private final byte[] bytes;

    private int hash;
    private String hex;

    private Fingerprint(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a fingerprint made of a copy of the given bytes. */
    public static Fingerprint of(byte[] bytes) {
        return new Fingerprint(bytes.clone());
    }

    /** Reads a fingerprint from its text form. */
    public static Fingerprint parse(String hex) {
        return new Fingerprint(HexFormat.of().parseHex(hex));
    }

    /** Returns a copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    public int length() {
        return bytes.length;
    }

    /** Tells whether this fingerprint begins with the bytes of another one. */
    public boolean startsWith(Fingerprint prefix) {
        int n = prefix.bytes.length;
        return n <= bytes.length && Arrays.equals(bytes, 0, n, prefix.bytes, 0, n);
    }

    @Override
    public int compareTo(Fingerprint other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Fingerprint && Arrays.equals(bytes, ((Fingerprint) o).bytes);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(bytes);
            hash = h;
        }
        return h;
    }

    /** Returns the bytes in hexadecimal digits. */
    @Override
    public String toString() {
        String s = hex;
        if (s == null) {
            s = HexFormat.of().formatHex(bytes);
            hex = s;
        }
        return s;
    }
}
