package net.quillon.core.buffer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An append-only byte accumulator that may be filled and read from several threads. Each append
 * is atomic: the bytes of one call are never interleaved with those of another.
 */
public final class ByteGather {

    private byte[] bytes;
    private int length;

    public ByteGather() {
        this(64);
    }

    public ByteGather(int initialCapacity) {
        if (initialCapacity < 1) {
            throw new IllegalArgumentException("initialCapacity: " + initialCapacity);
        }
        bytes = new byte[initialCapacity];
    }

    public synchronized ByteGather append(byte[] source) {
        ensureRoom(source.length);
        System.arraycopy(source, 0, bytes, length, source.length);
        length += source.length;
        return this;
    }

    public ByteGather append(String text) {
        return append(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends everything gathered by {@code other} so far. */
    public ByteGather append(ByteGather other) {
        byte[] chunk = new byte[other.length()];
        other.copyTo(chunk, 0);
        return append(chunk);
    }

    /**
     * Copies the gathered bytes into {@code target}, which must have room for {@link #length()}
     * bytes from {@code offset} on.
     */
    public synchronized void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, length);
    }

    public synchronized byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    public String toString(Charset charset) {
        return new String(toByteArray(), charset);
    }

    public synchronized int length() {
        return length;
    }

    private void ensureRoom(int extra) {
        int needed = Math.addExact(length, extra);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length * 2));
        }
    }
}
