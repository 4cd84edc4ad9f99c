package net.quillon.core.buffer;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reference-counted, read-only block of bytes. It starts out with one reference and is freed,
 * once, when the last is released.
 */
public final class SharedSegment {

    private final ByteBuffer data;
    private final Runnable onFree;
    private final AtomicInteger references = new AtomicInteger(1);

    public SharedSegment(byte[] bytes, Runnable onFree) {
        this.data = ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
        this.onFree = Objects.requireNonNull(onFree);
    }

    /** Adds a reference. */
    public SharedSegment retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("segment is freed");
        }
        return this;
    }

    /** Adds a reference unless the segment is freed. */
    public boolean tryRetain() {
        for (;;) {
            int count = references.get();
            if (count == 0) {
                return false;
            }
            if (count == Integer.MAX_VALUE) {
                throw new IllegalStateException("too many references");
            }
            if (references.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    /** Drops a reference and returns whether it was the last. */
    public boolean release() {
        for (;;) {
            int count = references.get();
            if (count == 0) {
                throw new IllegalStateException("segment is freed");
            }
            if (references.compareAndSet(count, count - 1)) {
                if (count > 1) {
                    return false;
                }
                onFree.run();
                return true;
            }
        }
    }

    /** A view of the bytes with a position of its own. */
    public ByteBuffer view() {
        if (references.get() == 0) {
            throw new IllegalStateException("segment is freed");
        }
        return data.duplicate();
    }

    public int length() {
        return data.capacity();
    }

    public int referenceCount() {
        return references.get();
    }
}
