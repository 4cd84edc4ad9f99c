/* Subject S13: what is logged. Cannot be changed. */
package standin.s13;

public final class LoggingEvent {
    private final int priority;
    private final String message;

    public LoggingEvent(int priority, String message) {
        this.priority = priority;
        this.message = message;
    }

    public int priority() {
        return priority;
    }

    public String message() {
        return message;
    }
}
