package net.quillmoor.pool;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps a few byte buffers for reuse. Missing a chance to reuse one is harmless, waiting for another
 * thread is not; so no method ever waits.
 *
 * <p>Thread-safe. While another thread is at the shelf, {@link #tryTake()} finds nothing and
 * {@link #offer} lets the buffer go to the garbage collector, even if there are buffers or room. A
 * buffer is never handed to two takers.
 */
public final class BufferShelf {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<byte[]> shelf = new ArrayDeque<>();
    private final int room;
    private final int bufferSize;
    private final AtomicLong made = new AtomicLong();

    /**
     * Creates an empty shelf.
     *
     * @param room the most buffers to keep
     * @param bufferSize the size of the buffers
     */
    public BufferShelf(int room, int bufferSize) {
        if (room < 0 || bufferSize < 1) {
            throw new IllegalArgumentException("room " + room + ", size " + bufferSize);
        }
        this.room = room;
        this.bufferSize = bufferSize;
    }

    /** Takes a buffer off the shelf or makes one. */
    public byte[] take() {
        return tryTake().orElseGet(() -> {
            made.incrementAndGet();
            return new byte[bufferSize];
        });
    }

    /**
     * Takes a buffer off the shelf.
     *
     * @return the buffer; nothing if the shelf is empty or another thread is at it
     */
    public Optional<byte[]> tryTake() {
        if (!lock.tryLock()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(shelf.pollFirst());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts a buffer on the shelf. The caller must own the buffer and not touch it afterwards.
     *
     * @return false if it was not kept: there is no room or another thread is at the shelf
     * @throws IllegalArgumentException if the buffer has the wrong size
     */
    public boolean offer(byte[] buffer) {
        if (buffer.length != bufferSize) {
            throw new IllegalArgumentException("size " + buffer.length);
        }
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (shelf.size() >= room) {
                return false;
            }
            shelf.addFirst(buffer);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many buffers {@link #take()} has made. */
    public long made() {
        return made.get();
    }
}
