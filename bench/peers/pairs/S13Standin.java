// FileAppender of Log4j 1.0, appended to while it is closed: NullPointerException.

package pairs;

import java.io.StringWriter;
import standin.s13.FileAppender;
import standin.s13.LoggingEvent;
import standin.s13.SimpleLayout;

public class S13Standin implements Pair {
    private final FileAppender appender = new FileAppender(new SimpleLayout(), new StringWriter());

    @Override
    public Object a() throws Exception {
        appender.append(new LoggingEvent(1, "m"));
        return null;
    }

    @Override
    public Object b() throws Exception {
        appender.close();
        return null;
    }
}
