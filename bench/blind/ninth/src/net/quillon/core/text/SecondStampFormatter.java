package net.quillon.core.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Formats log timestamps with millisecond precision. Since most records fall into the same second
 * as the one before, the text up to the seconds is kept and reused. Thread-safe.
 */
public final class SecondStampFormatter {

    private final DateTimeFormatter secondFormat;
    private final char separator;
    private volatile long lastSecond = Long.MIN_VALUE;
    private volatile String lastText = "";

    public SecondStampFormatter(ZoneId zone) {
        this(zone, '.');
    }

    public SecondStampFormatter(ZoneId zone, char separator) {
        this.secondFormat = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(zone);
        this.separator = separator;
    }

    public String format(Instant instant) {
        return format(instant.toEpochMilli());
    }

    /** Formats the given time as {@code yyyy-MM-dd HH:mm:ss.SSS}. */
    public String format(long epochMillis) {
        StringBuilder out = new StringBuilder(23);
        out.append(secondText(Math.floorDiv(epochMillis, 1000L)));
        int millis = (int) Math.floorMod(epochMillis, 1000L);
        out.append(separator);
        if (millis < 100) {
            out.append('0');
        }
        if (millis < 10) {
            out.append('0');
        }
        return out.append(millis).toString();
    }

    private String secondText(long second) {
        if (second == lastSecond) {
            return lastText;
        }
        String text = secondFormat.format(Instant.ofEpochSecond(second));
        lastText = text;
        lastSecond = second;
        return text;
    }
}
