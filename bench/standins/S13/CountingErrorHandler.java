/* Subject S13: counts errors. */
package standin.s13;

import java.util.concurrent.atomic.AtomicInteger;

public class CountingErrorHandler implements ErrorHandler {
    private final AtomicInteger errors = new AtomicInteger();

    @Override
    public void error(String message) {
        errors.incrementAndGet();
    }

    public int errors() {
        return errors.get();
    }
}
