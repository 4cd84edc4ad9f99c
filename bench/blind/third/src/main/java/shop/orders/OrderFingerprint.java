package shop.orders;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A short text that is equal for equal orders, used to recognize duplicates. The order of the lines
 * does not matter.
 *
 * <p>Immutable and therefore thread-safe. The text is computed when it is first needed; threads that
 * need it at the same time may compute it more than once, with the same result.
 */
public final class OrderFingerprint {

    /** A line of an order. */
    public record Item(String sku, int pieces) {

        public Item {
            Objects.requireNonNull(sku, "sku");
            if (pieces < 1) {
                throw new IllegalArgumentException("pieces: " + pieces);
            }
        }
    }

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final String customer;
    private final List<Item> items;
    private String text;
    private int hash;

    private OrderFingerprint(String customer, List<Item> items) {
        this.customer = Objects.requireNonNull(customer, "customer");
        this.items = items;
    }

    /** Returns the fingerprint of an order. */
    public static OrderFingerprint of(String customer, List<Item> items) {
        List<Item> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparing(Item::sku).thenComparingInt(Item::pieces));
        return new OrderFingerprint(customer, List.copyOf(sorted));
    }

    /** Returns the fingerprint of this order with an additional line. */
    public OrderFingerprint with(Item item) {
        List<Item> more = new ArrayList<>(items);
        more.add(item);
        return of(customer, more);
    }

    /** Returns the text, 16 hexadecimal digits. */
    public String text() {
        String result = text;
        if (result == null) {
            result = compute();
            text = result;
        }
        return result;
    }

    /** Returns the number of pieces ordered. */
    public long pieces() {
        return items.stream().mapToLong(Item::pieces).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OrderFingerprint that
                && customer.equals(that.customer)
                && items.equals(that.items);
    }

    @Override
    public int hashCode() {
        int result = hash;
        if (result == 0) {
            result = 31 * customer.hashCode() + items.hashCode();
            hash = result;
        }
        return result;
    }

    @Override
    public String toString() {
        return text();
    }

    private String compute() {
        long value = mix(FNV_OFFSET, customer);
        for (Item item : items) {
            value = mix(value, item.sku());
            value = (value ^ item.pieces()) * FNV_PRIME;
        }
        return String.format("%016x", value);
    }

    private static long mix(long value, String part) {
        long result = value;
        for (int i = 0; i < part.length(); i++) {
            result = (result ^ part.charAt(i)) * FNV_PRIME;
        }
        return (result ^ 0xff) * FNV_PRIME;
    }
}
