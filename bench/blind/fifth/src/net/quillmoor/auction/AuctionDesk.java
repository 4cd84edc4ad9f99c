package net.quillmoor.auction;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs auctions. All state is confined to one desk thread; the methods only hand work to it and
 * return a future.
 *
 * <p>May be used from any thread. Work handed in before {@link #close()} is done; afterwards the
 * methods throw {@link RejectedExecutionException}.
 */
public final class AuctionDesk implements AutoCloseable {

    /**
     * The best bid of an auction.
     *
     * @param bidder who made it
     * @param amount how much was offered
     */
    public record Bid(String bidder, long amount) {
    }

    private final ExecutorService desk;
    /** Best bids of open auctions; a lot without bids maps to null. Desk thread only. */
    private final Map<String, Bid> best = new HashMap<>();
    private int sold;

    /** Opens a desk. */
    public AuctionDesk() {
        desk = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "auction-desk");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Opens the auction of a lot; false if it is open already. */
    public CompletableFuture<Boolean> open(String lot) {
        Objects.requireNonNull(lot, "lot");
        return CompletableFuture.supplyAsync(() -> {
            if (best.containsKey(lot)) {
                return false;
            }
            best.put(lot, null);
            return true;
        }, desk);
    }

    /** Makes a bid; false if the auction is not open or the bid is not higher than the best one. */
    public CompletableFuture<Boolean> bid(String lot, String bidder, long amount) {
        Bid offer = new Bid(Objects.requireNonNull(bidder, "bidder"), amount);
        return CompletableFuture.supplyAsync(() -> {
            if (!best.containsKey(lot)) {
                return false;
            }
            Bid leading = best.get(lot);
            if (amount <= 0 || leading != null && leading.amount() >= amount) {
                return false;
            }
            best.put(lot, offer);
            return true;
        }, desk);
    }

    /** Ends an auction and returns the winning bid; null if there was none or no such auction. */
    public CompletableFuture<Bid> hammer(String lot) {
        return CompletableFuture.supplyAsync(() -> {
            Bid winner = best.remove(lot);
            if (winner != null) {
                sold++;
            }
            return winner;
        }, desk);
    }

    /** Returns the number of lots sold. */
    public CompletableFuture<Integer> sold() {
        return CompletableFuture.supplyAsync(() -> sold, desk);
    }

    /**
     * Refuses further work and waits a while for the work handed in. If interrupted, returns at once
     * with the interrupt flag set; the work is done nevertheless. Closing again only waits.
     */
    @Override
    public void close() {
        desk.shutdown();
        try {
            desk.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
