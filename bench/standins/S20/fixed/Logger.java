/*
 * Subject S20, mended: the filter is read and written under the lock of the logger. Nothing fails.
 */
package standin.s20;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.logging.Filter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** Logs to its handlers and to those of its parents. */
public class Logger {
    private static final Map<String, Logger> LOGGERS = new HashMap<>();
    /** Held wherever parents are looked at or changed. */
    private static final Object TREE = new Object();

    private final String name;
    private final String bundleName;
    private Filter filter;
    private final List<Handler> handlers = new ArrayList<>();
    private volatile Level level = Level.ALL;
    private volatile boolean useParentHandlers = true;
    private Logger parent;

    protected Logger(String name, String bundleName) {
        this.name = name;
        this.bundleName = bundleName;
    }

    public static Logger getLogger(String name) {
        return getLogger(name, null);
    }

    public static Logger getLogger(String name, String bundleName) {
        synchronized (LOGGERS) {
            Logger known = LOGGERS.get(name);
            if (known == null) {
                known = new Logger(name, bundleName);
                LOGGERS.put(name, known);
            }
            return known;
        }
    }

    public static Logger getAnonymousLogger() {
        return new Logger(null, null);
    }

    public ResourceBundle getResourceBundle() {
        return bundleName == null ? null : ResourceBundle.getBundle(bundleName);
    }

    public String getResourceBundleName() {
        return bundleName;
    }

    public synchronized void setFilter(Filter filter) {
        this.filter = filter;
    }

    public synchronized Filter getFilter() {
        return filter;
    }

    public void log(LogRecord record) {
        if (!isLoggable(record.getLevel())) {
            return;
        }
        synchronized (this) {
            if (filter != null && !filter.isLoggable(record)) {
                return;
            }
        }
        for (Logger logger = this; logger != null; logger = logger.nextWithHandlers()) {
            for (Handler handler : logger.getHandlers()) {
                handler.publish(record);
            }
        }
    }

    private Logger nextWithHandlers() {
        return useParentHandlers ? getParent() : null;
    }

    private void log(LogRecord record, Object[] parameters, Throwable thrown) {
        record.setParameters(parameters);
        record.setThrown(thrown);
        record.setLoggerName(name);
        log(record);
    }

    private LogRecord record(Level level, String className, String methodName, String message) {
        LogRecord record = new LogRecord(level, message);
        record.setSourceClassName(className);
        record.setSourceMethodName(methodName);
        record.setResourceBundleName(bundleName);
        return record;
    }

    public void log(Level level, String message) {
        log(record(level, null, null, message), null, null);
    }

    public void log(Level level, String message, Object parameter) {
        log(record(level, null, null, message), new Object[] {parameter}, null);
    }

    public void log(Level level, String message, Object[] parameters) {
        log(record(level, null, null, message), parameters, null);
    }

    public void log(Level level, String message, Throwable thrown) {
        log(record(level, null, null, message), null, thrown);
    }

    public void logp(Level level, String className, String methodName, String message) {
        log(record(level, className, methodName, message), null, null);
    }

    public void logp(Level level, String className, String methodName, String message, Object parameter) {
        log(record(level, className, methodName, message), new Object[] {parameter}, null);
    }

    public void logp(Level level, String className, String methodName, String message, Object[] parameters) {
        log(record(level, className, methodName, message), parameters, null);
    }

    public void logp(Level level, String className, String methodName, String message, Throwable thrown) {
        log(record(level, className, methodName, message), null, thrown);
    }

    public void logrb(Level level, String className, String methodName, String bundle, String message) {
        LogRecord record = record(level, className, methodName, message);
        record.setResourceBundleName(bundle);
        log(record, null, null);
    }

    public void logrb(
            Level level, String className, String methodName, String bundle, String message, Object parameter) {
        LogRecord record = record(level, className, methodName, message);
        record.setResourceBundleName(bundle);
        log(record, new Object[] {parameter}, null);
    }

    public void logrb(
            Level level, String className, String methodName, String bundle, String message, Object[] parameters) {
        LogRecord record = record(level, className, methodName, message);
        record.setResourceBundleName(bundle);
        log(record, parameters, null);
    }

    public void logrb(
            Level level, String className, String methodName, String bundle, String message, Throwable thrown) {
        LogRecord record = record(level, className, methodName, message);
        record.setResourceBundleName(bundle);
        log(record, null, thrown);
    }

    public void entering(String className, String methodName) {
        logp(Level.FINER, className, methodName, "ENTRY");
    }

    public void entering(String className, String methodName, Object parameter) {
        logp(Level.FINER, className, methodName, "ENTRY {0}", parameter);
    }

    public void entering(String className, String methodName, Object[] parameters) {
        logp(Level.FINER, className, methodName, "ENTRY", parameters);
    }

    public void exiting(String className, String methodName) {
        logp(Level.FINER, className, methodName, "RETURN");
    }

    public void exiting(String className, String methodName, Object result) {
        logp(Level.FINER, className, methodName, "RETURN {0}", result);
    }

    public void throwing(String className, String methodName, Throwable thrown) {
        logp(Level.FINER, className, methodName, "THROW", thrown);
    }

    public void severe(String message) {
        log(Level.SEVERE, message);
    }

    public void warning(String message) {
        log(Level.WARNING, message);
    }

    public void info(String message) {
        log(Level.INFO, message);
    }

    public void config(String message) {
        log(Level.CONFIG, message);
    }

    public void fine(String message) {
        log(Level.FINE, message);
    }

    public void finer(String message) {
        log(Level.FINER, message);
    }

    public void finest(String message) {
        log(Level.FINEST, message);
    }

    public void setLevel(Level level) {
        if (level == null) {
            throw new NullPointerException("level");
        }
        this.level = level;
    }

    public Level getLevel() {
        return level;
    }

    public boolean isLoggable(Level level) {
        int least = this.level.intValue();
        return least != Level.OFF.intValue() && level.intValue() >= least;
    }

    public String getName() {
        return name;
    }

    public synchronized void addHandler(Handler handler) {
        if (handler == null) {
            throw new NullPointerException("handler");
        }
        handlers.add(handler);
    }

    public synchronized void removeHandler(Handler handler) {
        handlers.remove(handler);
    }

    public synchronized Handler[] getHandlers() {
        return handlers.toArray(new Handler[0]);
    }

    public void setUseParentHandlers(boolean useParentHandlers) {
        this.useParentHandlers = useParentHandlers;
    }

    public boolean getUseParentHandlers() {
        return useParentHandlers;
    }

    public Logger getParent() {
        synchronized (TREE) {
            return parent;
        }
    }

    public void setParent(Logger parent) {
        synchronized (TREE) {
            for (Logger above = parent; above != null; above = above.parent) {
                if (above == this) {
                    throw new IllegalArgumentException("a logger cannot be above itself");
                }
            }
            this.parent = parent;
        }
    }
}
