package java.lang;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import jdk.internal.misc.Unsafe;

/**
 * What the calls of a run returned, as texts. Made after the run. Objects are compared by what they are, whoever wrote their
 * class, so its code is called: under control, in a little run of its own that {@link RaddleEngine} makes, and with few steps
 * to spend. What comes to no end is a text of its own.
 *
 * <p>Objects of the plan are named by their variable. Of results that are no values, one that an earlier call returned too is
 * told from one that only looks alike.
 */
final class RaddleResults {
    private RaddleResults() {
    }

    private static final int MAX_DEPTH = 4;
    /** Objects within objects that are looked into field by field. */
    private static final int MAX_FIELDS_DEPTH = 2;
    /** Elements that are shown, and that are looked at. */
    private static final int MAX_SHOWN = 64;
    private static final int MAX_ELEMENTS = 1000;
    /** Longer texts are not gone on with. */
    private static final int MAX_LENGTH = 20_000;
    /** Points that looking at one result may pass. */
    private static final int BUDGET = 1 << 14;

    /** By call; null for what was not looked at. */
    private static String[] texts = new String[0];
    /** The result that is looked at. */
    private static int at;

    /** The objects that are being looked at, the outermost first. */
    private static final Object[] within = new Object[MAX_DEPTH + 1];
    private static int depth;
    private static int fieldsDepth;

    /** A run is over. Whether any of its results has to be looked at. */
    static boolean begin() {
        Object[] results = RaddleRecord.results;
        if (texts.length != results.length) {
            texts = new String[results.length];
        }
        boolean asks = false;
        for (int i = 0; i < results.length; i++) {
            texts[i] = null;
            asks |= isObject(i) && RaddleValues.variable(results[i], RaddleEngine.variables) < 0;
        }
        at = 0;
        return asks;
    }

    private static boolean isObject(int call) {
        Object result = RaddleRecord.results[call];
        return RaddleRecord.states[call] == RaddleRecord.RETURNED && result != null && !RaddleValues.isPlain(result);
    }

    static boolean isDone() {
        return at == texts.length;
    }

    /** Goes on with the results that are left. */
    static void look(RaddleThread main) throws RaddleAbort {
        for (; at < texts.length; at++) {
            if (isObject(at)) {
                main.alone = BUDGET;
                texts[at] = text(at);
            }
        }
    }

    /** The one that was looked at does not come to an end. */
    static void giveUp() {
        RaddleView view = RaddleView.of(RaddleRecord.results[at].getClass());
        view.isEndless = true;
        texts[at] = endless(view);
        at++;
    }

    private static String endless(RaddleView view) {
        return "a " + view.name + " that cannot be looked at";
    }

    static String textOf(int call) {
        return texts[call] != null ? texts[call] : named(RaddleRecord.results[call]);
    }

    static long hashOf(int call) {
        Object result = RaddleRecord.results[call];
        if (result == null) {
            return 1;
        }
        return RaddleValues.isPlain(result) ? 31L * result.hashCode() + 2 : textOf(call).hashCode() * 31L + 3;
    }

    private static String named(Object value) {
        int variable = value == null ? -1 : RaddleValues.variable(value, RaddleEngine.variables);
        return variable >= 0 ? "$" + variable : RaddleValues.text(value);
    }

    private static String text(int call) throws RaddleAbort {
        Object result = RaddleRecord.results[call];
        for (int i = 0; i < call; i++) {
            if (RaddleRecord.results[i] == result && RaddleRecord.states[i] == RaddleRecord.RETURNED
                    && RaddleValues.known(result) == null
                    && RaddleValues.variable(result, RaddleEngine.variables) < 0
                    && RaddleView.of(result.getClass()).hasIdentity) {
                return "the object of call " + (i + 1);
            }
        }
        RaddleView view = RaddleView.of(result.getClass());
        if (view.isEndless) {
            return endless(view);
        }
        depth = 0;
        fieldsDepth = 0;
        StringBuilder out = new StringBuilder();
        append(out, result);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) throws RaddleAbort {
        String known = RaddleValues.known(value);
        if (known != null) {
            out.append(known);
            return;
        }
        int variable = RaddleValues.variable(value, RaddleEngine.variables);
        if (variable >= 0) {
            out.append('$').append(variable);
            return;
        }
        RaddleView view = RaddleView.of(value.getClass());
        boolean isTooDeep = depth == within.length || out.length() > MAX_LENGTH
                || view.kind == RaddleView.FIELDS && fieldsDepth == MAX_FIELDS_DEPTH;
        if (view.kind == RaddleView.CLASS || isTooDeep) {
            out.append("a ").append(view.name);
            return;
        }
        for (int i = 0; i < depth; i++) {
            if (within[i] == value) {
                out.append("…");
                return;
            }
        }
        int start = out.length();
        int levels = depth;
        int fields = fieldsDepth;
        within[depth++] = value;
        try {
            appendObject(out, value, view);
        } catch (RaddleAbort e) {
            throw e;
        } catch (Throwable e) {
            if (RaddleScheduler.aborting) {
                throw RaddleScheduler.abort;
            }
            out.setLength(start);
            out.append("a ").append(view.name).append(" that throws ").append(e.getClass().getName());
        }
        fieldsDepth = fields;
        depth = levels;
        within[depth] = null;
    }

    private static void appendObject(StringBuilder out, Object value, RaddleView view) throws Throwable {
        switch (view.kind) {
            case RaddleView.ARRAY:
                appendArray(out, value);
                break;
            case RaddleView.COLLECTION:
                appendElements(out, '[', ((Collection<?>) value).iterator(), false, ']');
                break;
            case RaddleView.SET:
                appendElements(out, '[', ((Collection<?>) value).iterator(), true, ']');
                break;
            case RaddleView.ITERABLE:
                out.append(view.name).append(' ');
                appendElements(out, '[', ((Iterable<?>) value).iterator(), false, ']');
                break;
            case RaddleView.MAP:
                appendElements(out, '{', ((Map<?, ?>) value).entrySet().iterator(), true, '}');
                break;
            case RaddleView.ENTRY:
                append(out, ((Map.Entry<?, ?>) value).getKey());
                out.append('=');
                append(out, ((Map.Entry<?, ?>) value).getValue());
                break;
            case RaddleView.OPTIONAL:
                out.append("Optional[");
                append(out, ((Optional<?>) value).orElse(null));
                out.append(']');
                break;
            case RaddleView.FUTURE:
                appendFuture(out, (Future<?>) value, view);
                break;
            case RaddleView.TEXT:
                out.append(view.name).append(' ');
                RaddleValues.say(out, String.valueOf(value.toString()));
                break;
            default:
                appendFields(out, value, view);
        }
    }

    private static void appendFuture(StringBuilder out, Future<?> future, RaddleView view) throws Throwable {
        out.append("a ").append(view.name);
        if (!future.isDone()) {
            return;
        }
        if (future.isCancelled()) {
            out.append(" that was cancelled");
            return;
        }
        try {
            Object value = future.get();
            out.append(" with ");
            append(out, value);
        } catch (ExecutionException e) {
            out.append(" with ").append(e.getCause() == null ? "an exception" : e.getCause().getClass().getName());
        }
    }

    private static void appendArray(StringBuilder out, Object array) throws RaddleAbort {
        int count = Math.min(java.lang.reflect.Array.getLength(array), MAX_ELEMENTS);
        String[] told = new String[count];
        for (int i = 0; i < count; i++) {
            told[i] = element(java.lang.reflect.Array.get(array, i));
        }
        appendTold(out, '[', told, count, ']');
    }

    /** Sorted, if the order means nothing: it may be that in which things were put in, or that of a hash table. */
    private static void appendElements(StringBuilder out, char open, Iterator<?> elements, boolean sorted, char close)
            throws RaddleAbort {
        String[] told = new String[16];
        int count = 0;
        while (count < MAX_ELEMENTS && elements.hasNext()) {
            String one = element(elements.next());
            if (count == told.length) {
                told = Arrays.copyOf(told, count * 2);
            }
            told[count++] = one;
        }
        if (sorted) {
            Arrays.sort(told, 0, count);
        }
        appendTold(out, open, told, count, close);
    }

    private static String element(Object value) throws RaddleAbort {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void appendTold(StringBuilder out, char open, String[] told, int count, char close) {
        out.append(open);
        for (int i = 0; i < count && i < MAX_SHOWN; i++) {
            out.append(i == 0 ? "" : ", ").append(told[i]);
        }
        if (count > MAX_SHOWN) {
            int rest = 1;
            for (int i = MAX_SHOWN; i < count; i++) {
                rest = rest * 31 + told[i].hashCode();
            }
            out.append(", … ").append(count).append(" elements #").append(rest);
        }
        out.append(close);
    }

    private static void appendFields(StringBuilder out, Object value, RaddleView view) throws RaddleAbort {
        fieldsDepth++;
        if (view.fields.length == 0) {
            out.append("a ").append(view.name);
        } else {
            out.append(view.name).append('{');
            for (int i = 0; i < view.fields.length; i++) {
                out.append(i == 0 ? "" : ", ").append(view.fields[i]).append('=');
                append(out, field(value, view.offsets[i], view.types[i]));
            }
            out.append('}');
        }
        fieldsDepth--;
    }

    private static Object field(Object object, long offset, char type) {
        Unsafe unsafe = RaddleScheduler.unsafe;
        switch (type) {
            case 'Z':
                return unsafe.getBoolean(object, offset);
            case 'B':
                return unsafe.getByte(object, offset);
            case 'S':
                return unsafe.getShort(object, offset);
            case 'C':
                return unsafe.getChar(object, offset);
            case 'I':
                return unsafe.getInt(object, offset);
            case 'F':
                return unsafe.getFloat(object, offset);
            case 'J':
                return unsafe.getLong(object, offset);
            case 'D':
                return unsafe.getDouble(object, offset);
            default:
                return unsafe.getReference(object, offset);
        }
    }
}
