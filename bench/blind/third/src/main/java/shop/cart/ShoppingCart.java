package shop.cart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The cart of one customer, who may have it open in several browser tabs.
 *
 * <p>Instances are thread-safe: all state is guarded by the cart's own monitor.
 */
public class ShoppingCart {

    /** One line of a cart. */
    public record Line(String sku, int pieces, long unitCents) {

        public Line {
            Objects.requireNonNull(sku, "sku");
            if (pieces < 1) {
                throw new IllegalArgumentException("pieces: " + pieces);
            }
        }

        /** Returns the price of this line. */
        public long cents() {
            return pieces * unitCents;
        }
    }

    private final String customer;
    private final List<Line> lines = new ArrayList<>();
    private boolean checkedOut;

    /** Creates an empty cart. */
    public ShoppingCart(String customer) {
        this.customer = Objects.requireNonNull(customer, "customer");
    }

    public String customer() {
        return customer;
    }

    /**
     * Puts an article into the cart. If the cart already has a line for it, the pieces are added to
     * that line and the given price replaces the earlier one.
     *
     * @throws IllegalStateException if the cart was checked out
     */
    public synchronized void add(String sku, int pieces, long unitCents) {
        requireOpen();
        int index = indexOf(sku);
        if (index < 0) {
            lines.add(new Line(sku, pieces, unitCents));
        } else {
            lines.set(index, new Line(sku, lines.get(index).pieces() + pieces, unitCents));
        }
    }

    /** Takes an article out of the cart; returns its line if there was one. */
    public synchronized Optional<Line> remove(String sku) {
        requireOpen();
        int index = indexOf(sku);
        return index < 0 ? Optional.empty() : Optional.of(lines.remove(index));
    }

    /** Returns the lines in the order in which the articles were first added. The list cannot be modified. */
    public synchronized List<Line> lines() {
        return Collections.unmodifiableList(lines);
    }

    /** Returns the price of everything in the cart. */
    public synchronized long totalCents() {
        long sum = 0;
        for (Line line : lines) {
            sum += line.cents();
        }
        return sum;
    }

    /**
     * Closes the cart and returns the total to pay.
     *
     * @throws IllegalStateException if the cart is empty or was checked out before
     */
    public synchronized long checkOut() {
        requireOpen();
        if (lines.isEmpty()) {
            throw new IllegalStateException("empty cart");
        }
        checkedOut = true;
        return totalCents();
    }

    private int indexOf(String sku) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).sku().equals(sku)) {
                return i;
            }
        }
        return -1;
    }

    private void requireOpen() {
        if (checkedOut) {
            throw new IllegalStateException("cart of " + customer + " was checked out");
        }
    }
}
