package net.harborline.market;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Distributes quotes to the watches that traders have opened on a symbol.
 *
 * <p>Feed handlers publish quotes, user sessions open, read and close watches. Both may happen in
 * any thread at any time. A closed watch keeps its last price.
 */
public class QuoteBoard {

    /** A trader's view of one symbol. */
    public final class Watch {

        private final String symbol;
        private double last = Double.NaN;
        private boolean open = true;

        private Watch(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the last price seen, or NaN if there was none. */
        public synchronized double last() {
            return last;
        }

        public synchronized boolean isOpen() {
            return open;
        }

        public String symbol() {
            return symbol;
        }

        /** Stops following the symbol. */
        public synchronized void close() {
            if (open) {
                open = false;
                detach(this);
            }
        }

        private synchronized void onQuote(double price) {
            if (open) {
                last = price;
            }
        }
    }

    private final Object lock = new Object();
    private final Map<String, List<Watch>> watches = new HashMap<>();
    private long published;

    /** Opens a watch on a symbol. */
    public Watch open(String symbol) {
        Objects.requireNonNull(symbol, "symbol");
        Watch watch = new Watch(symbol);
        synchronized (lock) {
            watches.computeIfAbsent(symbol, s -> new ArrayList<>()).add(watch);
        }
        return watch;
    }

    /** Publishes a quote to all watches of the symbol. */
    public void publish(String symbol, double price) {
        synchronized (lock) {
            published++;
            for (Watch watch : watches.getOrDefault(symbol, List.of())) {
                watch.onQuote(price);
            }
        }
    }

    /** Returns the number of open watches on a symbol. */
    public int watchers(String symbol) {
        synchronized (lock) {
            return watches.getOrDefault(symbol, List.of()).size();
        }
    }

    /** Returns the number of quotes published. */
    public long published() {
        synchronized (lock) {
            return published;
        }
    }

    private void detach(Watch watch) {
        synchronized (lock) {
            List<Watch> list = watches.get(watch.symbol);
            if (list != null && list.remove(watch) && list.isEmpty()) {
                watches.remove(watch.symbol);
            }
        }
    }
}
