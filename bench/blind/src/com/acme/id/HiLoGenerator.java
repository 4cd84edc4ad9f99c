package com.acme.id;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates unique identifiers by the hi/lo method: a block of identifiers is
 * reserved at once and handed out one by one. Identifiers are never given
 * twice. May be called by any number of threads.
 */
public class HiLoGenerator {

    private final int blockSize;
    private final AtomicLong nextBlock = new AtomicLong();
    private final AtomicInteger lo;
    private volatile long base;

    public HiLoGenerator() {
        this(100);
    }

    public HiLoGenerator(int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("blockSize: " + blockSize);
        }
        this.blockSize = blockSize;
        this.lo = new AtomicInteger(blockSize);
    }

    /** The next identifier. */
    public long next() {
        int n = lo.getAndIncrement();
        if (n >= blockSize) {
            reserve();
            n = 0;
        }
        return base + n;
    }

    private void reserve() {
        base = nextBlock.getAndAdd(blockSize);
        lo.set(1);
    }

    /** The next identifier as text with a prefix. */
    public String next(String prefix) {
        return prefix + '-' + Long.toString(next(), 36);
    }

    public int blockSize() {
        return blockSize;
    }
}
