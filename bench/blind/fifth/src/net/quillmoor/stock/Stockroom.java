package net.quillmoor.stock;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks how many pieces of each article are available and reserves them for orders.
 *
 * <p>Thread-safe. Work on different articles mostly runs in parallel, as the articles are spread
 * over a number of locks.
 */
public final class Stockroom {

    /**
     * Pieces set aside for an order.
     *
     * @param id the running number of the reservation
     * @param article the article reserved
     * @param pieces the number of pieces reserved
     */
    public record Reservation(long id, String article, int pieces) {
    }

    private final Object[] stripes;
    private final Map<String, Integer> available = new ConcurrentHashMap<>();
    private final Map<Long, Reservation> reservations = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong(1000);

    private Stockroom(int stripeCount) {
        stripes = new Object[stripeCount];
        for (int i = 0; i < stripeCount; i++) {
            stripes[i] = new Object();
        }
    }

    /** Creates an empty stockroom. */
    public static Stockroom create() {
        return new Stockroom(16);
    }

    /** Adds pieces of an article. */
    public void receive(String article, int pieces) {
        requirePositive(pieces);
        synchronized (stripeOf(article)) {
            available.put(article, available.getOrDefault(article, 0) + pieces);
        }
    }

    /**
     * Reserves pieces of an article.
     *
     * @return the reservation, or null if too few pieces are available
     */
    public Reservation reserve(String article, int pieces) {
        requirePositive(pieces);
        synchronized (stripeOf(article)) {
            int have = available.getOrDefault(article, 0);
            if (have < pieces) {
                return null;
            }
            available.put(article, have - pieces);
            Reservation reservation = new Reservation(ids.incrementAndGet(), article, pieces);
            reservations.put(reservation.id(), reservation);
            return reservation;
        }
    }

    /**
     * Gives up a reservation; the pieces become available again.
     *
     * @return false if the reservation had been given up or shipped before
     */
    public boolean cancel(Reservation reservation) {
        synchronized (stripeOf(reservation.id())) {
            if (!reservations.remove(reservation.id(), reservation)) {
                return false;
            }
            int have = available.getOrDefault(reservation.article(), 0);
            available.put(reservation.article(), have + reservation.pieces());
            return true;
        }
    }

    /** Ships a reservation: its pieces leave the stockroom. */
    public boolean ship(Reservation reservation) {
        return reservations.remove(reservation.id(), reservation);
    }

    /** Returns the number of pieces available. */
    public int available(String article) {
        return available.getOrDefault(article, 0);
    }

    /** Returns the number of open reservations. */
    public int openReservations() {
        return reservations.size();
    }

    private Object stripeOf(Object key) {
        int hash = Objects.requireNonNull(key, "key").hashCode();
        return stripes[(hash ^ (hash >>> 16)) & (stripes.length - 1)];
    }

    private static void requirePositive(int pieces) {
        if (pieces <= 0) {
            throw new IllegalArgumentException("pieces: " + pieces);
        }
    }
}
