package net.harborline.metrics;

/**
 * Tracks how many requests a service is working on and the highest number it ever had at once.
 *
 * <p>The servlet filter calls {@link #started()} and {@link #finished(boolean)} around each request,
 * the metrics reporter polls the getters. All methods may be called from any thread.
 */
public class RequestGauge {

    private final String name;
    private final Object peakLock = new Object();

    private int active;
    private int peak;
    private long failures;

    public RequestGauge() {
        this("requests");
    }

    public RequestGauge(String name) {
        this.name = name;
    }

    /** Notes the arrival of a request. */
    public void started() {
        synchronized (peakLock) {
            active++;
            if (active > peak) {
                peak = active;
            }
        }
    }

    /**
     * Notes the end of a request.
     *
     * @param failed whether the request ended with a server error
     */
    public synchronized void finished(boolean failed) {
        active--;
        if (failed) {
            failures++;
        }
    }

    /** Returns the number of requests being worked on. */
    public int active() {
        synchronized (peakLock) {
            return active;
        }
    }

    /** Returns the highest number of simultaneous requests since the last reset. */
    public int peak() {
        synchronized (peakLock) {
            return peak;
        }
    }

    /** Returns the number of failed requests. */
    public synchronized long failures() {
        return failures;
    }

    /** Starts a new observation period for the peak. */
    public void resetPeak() {
        synchronized (peakLock) {
            peak = active;
        }
    }

    public String name() {
        return name;
    }
}
