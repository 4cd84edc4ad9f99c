package com.acme.format;

import java.text.DateFormat;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Formats and parses the timestamps of log lines, always in UTC. One instance
 * is shared by all appenders; safe for concurrent use.
 */
public class TimestampFormatter {

    /** Pattern used unless another one is given. */
    public static final String DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss.SSS";

    private final DateFormat format;

    public TimestampFormatter() {
        this(DEFAULT_PATTERN);
    }

    public TimestampFormatter(String pattern) {
        format = new SimpleDateFormat(pattern, Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        format.setLenient(false);
    }

    /** Formats milliseconds since 1970. */
    public String format(long millis) {
        return format.format(new Date(millis));
    }

    /** Formats in brackets and with a level, as log lines begin. */
    public String prefix(long millis, String level) {
        return '[' + format(millis) + "] " + level;
    }

    /**
     * Milliseconds since 1970 of a text made by {@link #format}.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public long parse(String text) {
        try {
            return format.parse(text).getTime();
        } catch (ParseException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
