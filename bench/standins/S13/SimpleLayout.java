/* Subject S13: a line for each event. */
package standin.s13;

public class SimpleLayout extends Layout {
    @Override
    public String format(LoggingEvent event) {
        return event.priority() + " - " + event.message() + "\n";
    }
}
