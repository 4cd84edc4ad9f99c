package dev.harrow.svc.id;

/** Hands out ranges of numbers that nobody else will get. */
public interface BlockStore {

    /** Reserves {@code size} consecutive numbers and returns the first. */
    long reserve(int size);
}
