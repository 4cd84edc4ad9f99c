package java.lang;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;

/**
 * Results as numbers and texts that are equal for equal results. Works on results after a run, when nobody is
 * controlled.
 *
 * <p>Objects of the plan are named by their variable. Values, strings, arrays and the JDK's own collections are taken
 * by content; of anything else only the class counts, since asking it would run foreign code.
 */
final class RaddleValues {
    private RaddleValues() {
    }

    private static final int MAX_DEPTH = 4;
    private static final int MAX_ELEMENTS = 64;

    static long mix(long hash, long value) {
        return (hash ^ value) * 0x100000001B3L;
    }

    static long hash(Object value, Object[] variables) {
        if (value == null) {
            return 1;
        }
        if (isPlain(value)) {
            return 31L * value.hashCode() + 2;
        }
        return text(value, variables).hashCode() * 31L + 3;
    }

    static String text(Object value, Object[] variables) {
        StringBuilder out = new StringBuilder();
        append(out, value, variables, 0);
        return out.toString();
    }

    static boolean isPlain(Object value) {
        return value instanceof Integer || value instanceof Boolean || value instanceof Long
                || value instanceof String || value instanceof Character || value instanceof Byte
                || value instanceof Short || value instanceof Double || value instanceof Float;
    }

    private static void append(StringBuilder out, Object value, Object[] variables, int depth) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof String) {
            quote(out, (String) value);
        } else if (value instanceof Character) {
            out.append('\'').append(value).append('\'');
        } else if (isPlain(value)) {
            out.append(value);
        } else if (value instanceof Class) {
            out.append(((Class<?>) value).getName()).append(".class");
        } else if (value instanceof Enum) {
            out.append(value.getClass().getName()).append('.').append(((Enum<?>) value).name());
        } else if (depth < MAX_DEPTH && value.getClass().isArray()) {
            appendArray(out, value, variables, depth);
        } else {
            int variable = variable(value, variables);
            if (variable >= 0) {
                out.append('$').append(variable);
            } else {
                appendObject(out, value, variables, depth);
            }
        }
    }

    static int variable(Object value, Object[] variables) {
        for (int i = 0; i < variables.length; i++) {
            if (variables[i] == value) {
                return i;
            }
        }
        return -1;
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        int length = Math.min(text.length(), 200);
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
        out.append('"');
        if (length < text.length()) {
            out.append("… ").append(text.length()).append(" chars #").append(text.hashCode());
        }
    }

    private static void appendArray(StringBuilder out, Object array, Object[] variables, int depth) {
        int length = Array.getLength(array);
        out.append('[');
        for (int i = 0; i < length && i < MAX_ELEMENTS; i++) {
            if (i > 0) {
                out.append(", ");
            }
            append(out, Array.get(array, i), variables, depth + 1);
        }
        out.append(length > MAX_ELEMENTS ? ", …]" : "]");
    }

    private static void appendObject(StringBuilder out, Object value, Object[] variables, int depth) {
        boolean ours = value.getClass().getClassLoader() == null && depth < MAX_DEPTH;
        try {
            if (ours && value instanceof Collection) {
                appendCollection(out, (Collection<?>) value, variables, depth);
                return;
            }
            if (ours && value instanceof Map) {
                appendMap(out, (Map<?, ?>) value, variables, depth);
                return;
            }
            if (ours && value instanceof Map.Entry) {
                Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
                append(out, entry.getKey(), variables, depth + 1);
                out.append('=');
                append(out, entry.getValue(), variables, depth + 1);
                return;
            }
            if (ours && (value instanceof CharSequence || value instanceof Number)) {
                out.append(value.getClass().getName()).append(' ').append(value);
                return;
            }
        } catch (RuntimeException | StackOverflowError e) {
            out.append(" throws ").append(e.getClass().getName());
            return;
        }
        out.append("a ").append(className(value));
    }

    /** Hidden classes have a number in their name that differs from run to run. */
    static String className(Object value) {
        String name = value.getClass().getName();
        int hidden = name.indexOf("$$Lambda");
        return hidden < 0 ? name : name.substring(0, hidden) + "$$Lambda";
    }

    private static void appendCollection(StringBuilder out, Collection<?> values, Object[] variables, int depth) {
        out.append('[');
        int n = 0;
        for (Object element : values) {
            if (n > 0) {
                out.append(", ");
            }
            if (n++ == MAX_ELEMENTS) {
                out.append('…');
                break;
            }
            append(out, element, variables, depth + 1);
        }
        out.append(']');
    }

    private static void appendMap(StringBuilder out, Map<?, ?> map, Object[] variables, int depth) {
        out.append('{');
        int n = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (n > 0) {
                out.append(", ");
            }
            if (n++ == MAX_ELEMENTS) {
                out.append('…');
                break;
            }
            append(out, entry.getKey(), variables, depth + 1);
            out.append('=');
            append(out, entry.getValue(), variables, depth + 1);
        }
        out.append('}');
    }
}
