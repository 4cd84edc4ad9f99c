package shop.warehouse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import shop.common.Service;

/**
 * Tells listeners when the stock of an article runs low.
 *
 * <p>Thread-safe. Listeners may come and go at any time, also while alerts are being sent; one that is
 * removed during an alert may or may not get it.
 */
@Service
public class StockAlerts {

    /** Gets alerts. */
    @FunctionalInterface
    public interface Listener {

        /** Called when the stock of an article is below its threshold. */
        void lowStock(String sku, int level);
    }

    private final int defaultThreshold;
    private final Map<String, Integer> thresholds = new ConcurrentHashMap<>();
    private final Map<String, Integer> levels = new ConcurrentHashMap<>();
    private final List<Listener> listeners = Collections.synchronizedList(new ArrayList<>());

    /** Creates the service with the threshold of articles that have none of their own. */
    public StockAlerts(int defaultThreshold) {
        this.defaultThreshold = defaultThreshold;
    }

    /** Sets the threshold of an article. */
    public void setThreshold(String sku, int threshold) {
        thresholds.put(sku, threshold);
    }

    /** Adds a listener. */
    public void addListener(Listener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Removes a listener; returns false if it was not there. */
    public boolean removeListener(Listener listener) {
        return listeners.remove(listener);
    }

    /**
     * Notes the stock of an article and sends alerts if it is below the threshold.
     *
     * @return whether it is below the threshold
     */
    public boolean stockChanged(String sku, int level) {
        levels.put(sku, level);
        if (level >= thresholds.getOrDefault(sku, defaultThreshold)) {
            return false;
        }
        // from the end, so that a listener can remove itself when it is called
        for (int i = listeners.size() - 1; i >= 0; i--) {
            listeners.get(i).lowStock(sku, level);
        }
        return true;
    }

    /** Returns the stock of an article noted last, if any. */
    public OptionalInt level(String sku) {
        Integer level = levels.get(sku);
        return level == null ? OptionalInt.empty() : OptionalInt.of(level);
    }

    /** Returns the number of listeners. */
    public int listenerCount() {
        return listeners.size();
    }
}
