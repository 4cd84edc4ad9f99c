package org.larkspur.util;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Static helpers for trace identifiers. The external form of an identifier consists of sixteen
 * lower case hexadecimal digits.
 */
public final class TraceIds {

    /** The number of digits of the external form. */
    public static final int LENGTH = 16;

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private TraceIds() {
    }

    /** Returns a new identifier, different from all others returned in this process. */
    public static long next() {
        return SEQUENCE.incrementAndGet();
    }

    /**
     * Returns the external form of an identifier.
     *
     * @param id the identifier
     * @return its sixteen digits
     */
    public static String format(long id) {
        return Formatter.INSTANCE.format(id);
    }

    /**
     * Reads the external form of an identifier.
     *
     * @param text sixteen digits
     * @return the identifier
     */
    public static long parse(CharSequence text) {
        Objects.requireNonNull(text, "text");
        if (text.length() != LENGTH) {
            throw new IllegalArgumentException("not a trace identifier: " + text);
        }
        long id = 0;
        for (int i = 0; i < LENGTH; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                throw new IllegalArgumentException("not a trace identifier: " + text);
            }
            id = id << 4 | digit;
        }
        return id;
    }

    /** Loaded on first use. */
    private static final class Formatter {

        static final Formatter INSTANCE = new Formatter();

        private final char[] scratch = new char[LENGTH];

        String format(long id) {
            long rest = id;
            for (int i = LENGTH - 1; i >= 0; i--) {
                scratch[i] = DIGITS[(int) (rest & 0xf)];
                rest >>>= 4;
            }
            return new String(scratch);
        }
    }
}
