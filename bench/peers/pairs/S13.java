// FileAppender, appended to while it is closed: NullPointerException.

package pairs;

import java.io.StringWriter;
import java.io.Writer;
import org.apache.log4j.Category;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Priority;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.helpers.LogLog;
import org.apache.log4j.spi.LoggingEvent;

public class S13 implements Pair {
    private final LoggingEvent event = new LoggingEvent("x", Category.getInstance("x"), Priority.INFO, "m", null);
    private final FileAppender appender = new FileAppender(new SimpleLayout(), (Writer) new StringWriter());

    public S13() {
        // A closed appender complains on standard error.
        LogLog.setQuietMode(true);
    }

    @Override
    public Object a() throws Exception {
        appender.append(event);
        return null;
    }

    @Override
    public Object b() throws Exception {
        appender.close();
        return null;
    }
}
