/* Subject S13: decides which events are written. */
package standin.s13;

public abstract class Filter {
    public abstract boolean accepts(LoggingEvent event);
}
