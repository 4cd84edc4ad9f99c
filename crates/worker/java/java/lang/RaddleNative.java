package java.lang;

/** What the worker's native side offers. Bound with RegisterNatives before any of it is called. */
final class RaddleNative {
    private RaddleNative() {
    }

    /** Lets the calling thread run on that CPU only; on the n-th of those it may use if it is -1 - n, from 1 and round. */
    static native void pin(int cpu);

    /** The address of a counter that a watchdog looks at. */
    static native long progressAddress();

    /** The field that an access at that site is about, as {@code owner.name:descriptor}, or null. */
    static native String field(int site);

    /** How the calling thread came to where it is, from the plan on, as a number. First tells that it is a new run. */
    static native long context(boolean first);

    /** The lines through which the calling thread came to where it is, as a number that holds for the batch; 0 for none. */
    static native int callers();
}
