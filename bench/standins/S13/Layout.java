/* Subject S13: how an event is written. */
package standin.s13;

public abstract class Layout {
    public abstract String format(LoggingEvent event);
}
