// Calls of two threads that are known to hurt each other, written down by hand for tools that do not make tests.

package pairs;

/** A new one for every run. What a call throws is its result as well. */
public interface Pair {
    /** What the first thread calls. */
    Object a() throws Exception;

    /** What the second thread calls. */
    Object b() throws Exception;

    /** What can be seen when both have ended, where that is where the fault shows. Also cleans up. */
    default Object after() throws Exception {
        return null;
    }
}
