package io.tarnwick.kit.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Formats points in time for log lines, as {@code 2024-05-17 08:30:12.345}. Since
 * log lines come in bursts the part up to the second is kept from one call to the
 * next.
 *
 * <p>Unlike {@link java.text.SimpleDateFormat} an instance may be shared among
 * threads.
 */
public class StampFormatter {

    private static final DateTimeFormatter TO_SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private final DateTimeFormatter formatter;
    private volatile long lastSecond = Long.MIN_VALUE;
    private volatile String lastText = "";

    /** Formats in UTC. */
    public StampFormatter() {
        this(ZoneOffset.UTC);
    }

    public StampFormatter(ZoneId zone) {
        this.formatter = TO_SECOND.withZone(zone);
    }

    /**
     * Formats a point in time.
     *
     * @param epochMillis milliseconds since 1970-01-01 UTC
     */
    public String format(long epochMillis) {
        long second = Math.floorDiv(epochMillis, 1000L);
        int millis = (int) Math.floorMod(epochMillis, 1000L);
        StringBuilder out = new StringBuilder(23);
        out.append(textOf(second)).append('.');
        appendPadded(out, millis);
        return out.toString();
    }

    /** Formats the present time. */
    public String now() {
        return format(System.currentTimeMillis());
    }

    private String textOf(long second) {
        if (second == lastSecond) {
            return lastText;
        }
        String text = formatter.format(Instant.ofEpochSecond(second));
        lastText = text;
        lastSecond = second;
        return text;
    }

    private static void appendPadded(StringBuilder out, int millis) {
        if (millis < 100) {
            out.append('0');
        }
        if (millis < 10) {
            out.append('0');
        }
        out.append(millis);
    }
}
