/*
 * Subject S13, stands for org.apache.log4j.FileAppender of Log4j 1.0, whose failing pair was never printed. 21 public
 * methods.
 *
 * Pattern: append holds no lock: it checks that `writer` and `layout` are there and then uses the fields again. close
 *          holds none either; setFile and setWriter do. All three close the old writer and set the field to null first.
 * Pair:    append(e) ∥ close(), append(e) ∥ setFile(f), append(e) ∥ setWriter(w), doAppend(e) ∥ close(),
 *          append(e) ∥ setLayout(null), addFilter(f) ∥ clearFilters(), close() ∥ close().
 * Shows:   NullPointerException. Every order of whole calls writes, or tells the error handler that there is no writer.
 */
package standin.s13;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.HashMap;
import java.util.Map;

/** Writes events to a file. Files are kept in memory, one set for each appender. */
public class FileAppender {
    private static final String[] OPTIONS = {"File", "Append", "ImmediateFlush"};

    private String name;
    private Layout layout;
    private Writer writer;
    private ErrorHandler errorHandler = new CountingErrorHandler();
    private FilterLink firstFilter;
    private FilterLink lastFilter;
    private int threshold;
    private String fileName;
    private boolean fileAppend = true;
    private boolean immediateFlush = true;
    private boolean closed;
    private final Map<String, StringWriter> files = new HashMap<>();

    private static final class FilterLink {
        final Filter filter;
        FilterLink next;

        FilterLink(Filter filter) {
            this.filter = filter;
        }
    }

    public FileAppender() {
    }

    public FileAppender(Layout layout, Writer writer) {
        this.layout = layout;
        this.writer = writer;
    }

    public FileAppender(Layout layout, String fileName) {
        this.layout = layout;
        openFile(fileName, fileAppend);
    }

    public synchronized void doAppend(LoggingEvent event) {
        if (closed) {
            errorHandler.error("the appender is closed");
            return;
        }
        if (!isAsSevereAsThreshold(event.priority())) {
            return;
        }
        for (FilterLink link = firstFilter; link != null; link = link.next) {
            if (!link.filter.accepts(event)) {
                return;
            }
        }
        append(event);
    }

    public void append(LoggingEvent event) {
        if (writer == null) {
            errorHandler.error("there is no writer");
            return;
        }
        if (layout == null) {
            errorHandler.error("there is no layout");
            return;
        }
        try {
            writer.write(layout.format(event));
            if (immediateFlush) {
                writer.flush();
            }
        } catch (IOException failure) {
            errorHandler.error(failure.getMessage());
        }
    }

    public void close() {
        closed = true;
        closeWriter();
    }

    private void closeWriter() {
        if (writer == null) {
            return;
        }
        try {
            writer.close();
        } catch (IOException failure) {
            errorHandler.error(failure.getMessage());
        }
        writer = null;
    }

    public void setFile(String fileName) {
        setFile(fileName, fileAppend);
    }

    public synchronized void setFile(String fileName, boolean append) {
        openFile(fileName, append);
    }

    private void openFile(String fileName, boolean append) {
        closeWriter();
        if (!append || !files.containsKey(fileName)) {
            files.put(fileName, new StringWriter());
        }
        writer = files.get(fileName);
        closed = false;
    }

    public synchronized void setWriter(Writer writer) {
        closeWriter();
        this.writer = writer;
        closed = false;
    }

    public synchronized void setErrorHandler(ErrorHandler errorHandler) {
        if (errorHandler == null) {
            this.errorHandler.error("there has to be an error handler");
            return;
        }
        this.errorHandler = errorHandler;
    }

    public ErrorHandler getErrorHandler() {
        return errorHandler;
    }

    public void setName(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public void setLayout(Layout layout) {
        this.layout = layout;
    }

    public Layout getLayout() {
        return layout;
    }

    public void addFilter(Filter filter) {
        FilterLink link = new FilterLink(filter);
        if (firstFilter == null) {
            firstFilter = link;
            lastFilter = link;
        } else {
            lastFilter.next = link;
            lastFilter = link;
        }
    }

    public void clearFilters() {
        firstFilter = null;
        lastFilter = null;
    }

    public Filter getFirstFilter() {
        FilterLink first = firstFilter;
        return first == null ? null : first.filter;
    }

    public void setOption(String option, String value) {
        if (OPTIONS[0].equals(option)) {
            fileName = value;
        } else if (OPTIONS[1].equals(option)) {
            fileAppend = Boolean.parseBoolean(value);
        } else if (OPTIONS[2].equals(option)) {
            immediateFlush = Boolean.parseBoolean(value);
        }
    }

    public String[] getOptionStrings() {
        return OPTIONS.clone();
    }

    public void activateOptions() {
        String file = fileName;
        if (file != null) {
            setFile(file, fileAppend);
        }
    }

    public boolean requiresLayout() {
        return true;
    }

    public void setThreshold(int threshold) {
        this.threshold = threshold;
    }

    public boolean isAsSevereAsThreshold(int priority) {
        return priority >= threshold;
    }
}
