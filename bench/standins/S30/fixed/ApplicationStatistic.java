/*
 * Subject S30, mended: everything that reads or writes a time holds the lock. Nothing fails.
 */
package standin.s30;

/** How long an application takes to answer. */
public class ApplicationStatistic {
    private final String applicationId;
    private long count;
    private long total;
    private long longest;
    private long shortest = Long.MAX_VALUE;
    private long last;

    public ApplicationStatistic(String applicationId) {
        this.applicationId = applicationId;
    }

    public synchronized void logTime(long time) {
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

    public synchronized long getMaxTime() {
        return longest;
    }

    public synchronized long getMinTime() {
        return shortest;
    }

    public synchronized double getAverageTime() {
        long times = count;
        return times == 0 ? 0 : (double) total / times;
    }

    public synchronized long executionCount() {
        return count;
    }

    public synchronized long getLastTime() {
        return last;
    }
}
