package java.lang;

/**
 * Values as numbers and texts that are equal for equal values. Asks nobody: whatever is more than a value is looked at by
 * {@link RaddleResults}.
 */
final class RaddleValues {
    private RaddleValues() {
    }

    /** Longer texts are cut, and told apart by a number. */
    private static final int MAX_CHARS = 200;

    static long mix(long hash, long value) {
        return (hash ^ value) * 0x100000001B3L;
    }

    /** Whether a value is told apart by what it prints, without running code of others. */
    static boolean isPlain(Object value) {
        return value instanceof Integer || value instanceof Boolean || value instanceof Long
                || value instanceof String || value instanceof Character || value instanceof Byte
                || value instanceof Short || value instanceof Double || value instanceof Float;
    }

    /** The text of a value that needs no looking at; null if it needs some. */
    static String known(Object value) {
        if (value == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder();
        if (value instanceof String) {
            quote(out, (String) value);
        } else if (value instanceof Character) {
            out.append('\'').append(value).append('\'');
        } else if (isPlain(value)) {
            out.append(value);
        } else if (value instanceof Class) {
            out.append(((Class<?>) value).getName()).append(".class");
        } else if (value instanceof Enum) {
            // A constant with a body has a class of its own.
            out.append(((Enum<?>) value).getDeclaringClass().getName()).append('.').append(((Enum<?>) value).name());
        } else {
            return null;
        }
        return out.toString();
    }

    /** The text of a value, with the class in place of what would have to be asked. */
    static String text(Object value) {
        String known = known(value);
        if (known != null) {
            return known;
        }
        if (value instanceof Number && value.getClass().getClassLoader() == null) {
            return value.getClass().getName() + ' ' + value;
        }
        return "a " + className(value);
    }

    static int variable(Object value, Object[] variables) {
        for (int i = 0; i < variables.length; i++) {
            if (variables[i] == value) {
                return i;
            }
        }
        return -1;
    }

    static void quote(StringBuilder out, String text) {
        out.append('"');
        int length = escape(out, text);
        out.append('"');
        cut(out, text, length);
    }

    /** A text that an object says of itself: without what differs between two JVMs. */
    static void say(StringBuilder out, String text) {
        String told = withoutIdentity(text);
        cut(out, told, escape(out, told));
    }

    private static int escape(StringBuilder out, String text) {
        int length = Math.min(text.length(), MAX_CHARS);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f) {
                out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            } else {
                out.append(c);
            }
        }
        return length;
    }

    private static void cut(StringBuilder out, String text, int length) {
        if (length < text.length()) {
            out.append("… ").append(text.length()).append(" chars #").append(text.hashCode());
        }
    }

    /** Without identity hash codes, as in {@code p.Node@1b2c}: the number goes, the class stays. */
    private static String withoutIdentity(String text) {
        int at = text.indexOf('@');
        if (at < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int done = 0;
        for (; at >= 0; at = text.indexOf('@', at + 1)) {
            int end = at + 1;
            while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
                end++;
            }
            boolean isWord = end < text.length() && Character.isJavaIdentifierPart(text.charAt(end));
            boolean isNamed = at > 0 && (Character.isJavaIdentifierPart(text.charAt(at - 1)) || text.charAt(at - 1) == ';');
            if (end > at + 1 && !isWord && isNamed) {
                out.append(text, done, at + 1);
                done = end;
            }
        }
        return out.append(text, done, text.length()).toString();
    }

    /** Hidden classes have a number in their name that differs from run to run. */
    static String className(Object value) {
        return className(value.getClass());
    }

    static String className(Class<?> type) {
        String name = type.getName();
        int hidden = name.indexOf("$$Lambda");
        return hidden < 0 ? name : name.substring(0, hidden) + "$$Lambda";
    }
}
