package b2.startgate;

/**
 * A gate that is closed at first. Threads wait at it until some thread opens it; an open gate stays
 * open.
 *
 * <p>Thread-safe.
 */
public class StartGate {
    private final Object monitor = new Object();
    private volatile boolean open;
    private int passed;

    /** Opens the gate and lets all waiting threads pass. Opening it again has no effect. */
    public void open() {
        if (open) {
            return;
        }
        open = true;
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    /** Waits until the gate is open. Returns at once if it is. */
    public void await() throws InterruptedException {
        while (!open) {
            synchronized (monitor) {
                monitor.wait();
            }
        }
        synchronized (monitor) {
            passed++;
        }
    }

    /** Tells whether the gate is open. */
    public boolean isOpen() {
        return open;
    }

    /** Returns how many calls of {@link #await()} have passed the gate. */
    public int passed() {
        synchronized (monitor) {
            return passed;
        }
    }
}
