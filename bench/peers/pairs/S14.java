// WriterAppender, appended to while it is closed: NullPointerException.

package pairs;

import java.io.StringWriter;
import java.io.Writer;
import org.apache.log4j.Category;
import org.apache.log4j.Priority;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.apache.log4j.helpers.LogLog;
import org.apache.log4j.spi.LoggingEvent;

public class S14 implements Pair {
    private final LoggingEvent event = new LoggingEvent("x", Category.getInstance("x"), Priority.INFO, "m", null);
    private final WriterAppender appender = new WriterAppender(new SimpleLayout(), (Writer) new StringWriter());

    public S14() {
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
