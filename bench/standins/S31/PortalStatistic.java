/*
 * Subject S31, stands for org.exoplatform.portal.application.PortalStatistic of GateIn 3.8.2. 6 public methods.
 *
 * Pattern: a volatile count and a volatile mean; a new time goes into the mean by way of the count, without a lock.
 * Pair:    logTime(t) ∥ logTime(u).
 * Shows:   one of the two is lost: viewCount returns 1 after two calls, getAverageTime is wrong. Nothing throws.
 */
package standin.s31;

/** How long a portal takes to show a page. */
public class PortalStatistic {
    private volatile int count;
    private volatile double mean;
    private volatile long longest;
    private volatile long shortest = Long.MAX_VALUE;

    public PortalStatistic() {
    }

    public void logTime(long time) {
        count++;
        mean += (time - mean) / count;
        longest = Math.max(longest, time);
        shortest = Math.min(shortest, time);
    }

    public long getMaxTime() {
        return longest;
    }

    public long getMinTime() {
        return shortest;
    }

    public double getAverageTime() {
        return mean;
    }

    /** Pages in a second, if one follows the other. */
    public double getThroughput() {
        double average = mean;
        return average == 0 ? 0 : 1000 / average;
    }

    public int viewCount() {
        return count;
    }
}
