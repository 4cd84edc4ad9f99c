package shop.ids;

/** Hands out disjoint ranges of numbers, usually from a database sequence. Implementations are thread-safe. */
@FunctionalInterface
public interface IdBlockSource {

    /** Reserves {@code size} consecutive numbers and returns the first of them. */
    long reserve(int size);
}
