package net.harborline.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Objects;

/**
 * Formats timestamps for log files, for example {@code 2024-03-01 12:30:05.042}.
 *
 * <p>Most timestamps fall into the same second as the one before, so that the text of the last
 * second is kept. May be shared between threads.
 */
public final class TimestampFormat {

    private static final class Second {
        final long epochSecond;
        final String text;

        Second(long epochSecond, String text) {
            this.epochSecond = epochSecond;
            this.text = text;
        }
    }

    private final String pattern;
    private final ZoneId zone;

    private DateTimeFormatter formatter;
    private Second lastSecond;

    public TimestampFormat(String zone) {
        this("yyyy-MM-dd HH:mm:ss", zone);
    }

    public TimestampFormat(String pattern, String zone) {
        this.pattern = Objects.requireNonNull(pattern, "pattern");
        this.zone = ZoneId.of(zone);
    }

    /**
     * Formats a timestamp.
     *
     * @param epochMillis milliseconds since 1970
     */
    public String format(long epochMillis) {
        long epochSecond = Math.floorDiv(epochMillis, 1000L);
        int millis = Math.floorMod(epochMillis, 1000);
        Second second = lastSecond;
        if (second == null || second.epochSecond != epochSecond) {
            second = new Second(epochSecond, formatter().format(Instant.ofEpochSecond(epochSecond)));
            lastSecond = second;
        }
        StringBuilder text = new StringBuilder(second.text).append('.');
        if (millis < 100) {
            text.append('0');
        }
        if (millis < 10) {
            text.append('0');
        }
        return text.append(millis).toString();
    }

    public ZoneId zone() {
        return zone;
    }

    private DateTimeFormatter formatter() {
        DateTimeFormatter f = formatter;
        if (f == null) {
            f = DateTimeFormatter.ofPattern(pattern).withZone(zone);
            formatter = f;
        }
        return f;
    }
}
