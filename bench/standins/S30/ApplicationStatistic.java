/*
 * Subject S30, stands for org.exoplatform.portal.application.ApplicationStatistic of GateIn 3.8.2. 7 public methods.
 *
 * Pattern: volatile fields, one of them counted up with ++, the others compared or added to, without a lock.
 * Pair:    logTime(t) ∥ logTime(u).
 * Shows:   one of the two is lost: executionCount returns 1 after two calls, getAverageTime, getMaxTime and getMinTime
 *          may be wrong too. Nothing throws.
 */
package standin.s30;

/** How long an application takes to answer. */
public class ApplicationStatistic {
    private final String applicationId;
    private volatile long count;
    private volatile long total;
    private volatile long longest;
    private volatile long shortest = Long.MAX_VALUE;
    private volatile long last;

    public ApplicationStatistic(String applicationId) {
        this.applicationId = applicationId;
    }

    public void logTime(long time) {
        count++;
        total += time;
        if (time > longest) {
            longest = time;
        }
        if (time < shortest) {
            shortest = time;
        }
        last = time;
    }

    public String getApplicationId() {
        return applicationId;
    }

    public long getMaxTime() {
        return longest;
    }

    public long getMinTime() {
        return shortest;
    }

    public double getAverageTime() {
        long times = count;
        return times == 0 ? 0 : (double) total / times;
    }

    public long executionCount() {
        return count;
    }

    public long getLastTime() {
        return last;
    }
}
