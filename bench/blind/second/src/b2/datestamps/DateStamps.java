package b2.datestamps;

import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Formats and parses time stamps such as 2024-02-29T12:30:00Z.
 *
 * <p>Thread-safe: each thread uses a formatter of its own.
 */
public final class DateStamps {
    private static final String PATTERN = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    private static final ThreadLocal<SimpleDateFormat> FORMAT = ThreadLocal.withInitial(() -> {
        SimpleDateFormat format = new SimpleDateFormat(PATTERN, Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        format.setLenient(false);
        return format;
    });

    /** Formats milliseconds since 1970. */
    public String format(long millis) {
        return FORMAT.get().format(new Date(millis));
    }

    /**
     * Parses a time stamp; returns milliseconds since 1970.
     *
     * @throws IllegalArgumentException if the text is not a time stamp
     */
    public long parse(String text) {
        try {
            return FORMAT.get().parse(text).getTime();
        } catch (ParseException e) {
            throw new IllegalArgumentException("not a time stamp: " + text, e);
        }
    }

    /** Tells whether the text is a time stamp. */
    public boolean isValid(String text) {
        try {
            parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the midnight (UTC) at or before the given time. */
    public String midnight(long millis) {
        return format(millis - Math.floorMod(millis, 86_400_000L));
    }
}
