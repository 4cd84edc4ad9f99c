/* Subject S20: a filter, since java.util.logging has none that can be had. */
package standin.s20;

import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

public class LevelFilter implements Filter {
    private final Level least;

    public LevelFilter() {
        this(Level.INFO);
    }

    public LevelFilter(Level least) {
        this.least = least;
    }

    @Override
    public boolean isLoggable(LogRecord record) {
        return record.getLevel().intValue() >= least.intValue();
    }
}
