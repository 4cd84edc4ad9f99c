package com.acme.format;

import java.text.ParseException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Formats and parses dates in UTC with one {@link SimpleDateFormat} per thread,
 * as that class must not be shared. Thread-safe.
 */
public final class DateStamps {

    private final ThreadLocal<SimpleDateFormat> formats;
    private final String pattern;

    public DateStamps() {
        this("yyyy-MM-dd HH:mm:ss");
    }

    public DateStamps(String pattern) {
        this.pattern = pattern;
        create(pattern);
        this.formats = ThreadLocal.withInitial(() -> create(pattern));
    }

    private static SimpleDateFormat create(String pattern) {
        SimpleDateFormat f = new SimpleDateFormat(pattern, Locale.ROOT);
        f.setTimeZone(TimeZone.getTimeZone("UTC"));
        f.setLenient(false);
        return f;
    }

    /** Text of milliseconds since 1970. */
    public String format(long millis) {
        return formats.get().format(new Date(millis));
    }

    /** Milliseconds since 1970 of a text. */
    public long parse(String text) throws ParseException {
        ParsePosition at = new ParsePosition(0);
        Date d = formats.get().parse(text, at);
        if (d == null || at.getIndex() != text.length()) {
            throw new ParseException("not of the form " + pattern, Math.max(0, at.getErrorIndex()));
        }
        return d.getTime();
    }

    public String pattern() {
        return pattern;
    }
}
