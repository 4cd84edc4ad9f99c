package java.lang;

/** The events of a run as bytes. */
final class RaddleTrace {
    private RaddleTrace() {
    }

    private static Object[] known = new Object[64];
    private static int knownCount;

    static void write(RaddleOut out) {
        knownCount = 0;
        out.i32(RaddleRecord.traceCount);
        for (int i = 0; i < RaddleRecord.traceCount; i++) {
            out.u8(RaddleRecord.traceThreads[i]);
            out.u8(RaddleRecord.traceOps[i]);
            out.i32(RaddleRecord.traceSites[i]);
            out.i32(label(RaddleRecord.traceObjects[i]));
            out.i32((int) RaddleRecord.traceIndices[i]);
            out.utf(name(RaddleRecord.traceObjects[i]));
            RaddleRecord.traceObjects[i] = null;
        }
        for (int i = 0; i < knownCount; i++) {
            known[i] = null;
        }
    }

    private static String name(Object object) {
        if (object == null) {
            return "";
        }
        if (object instanceof RaddleThread) {
            return ((RaddleThread) object).thread.getName();
        }
        int variable = RaddleValues.variable(object, RaddleEngine.variables);
        return variable >= 0 ? "$" + variable : RaddleValues.className(object);
    }

    /** Objects are numbered from 1 in the order in which they turn up. */
    private static int label(Object object) {
        if (object == null) {
            return 0;
        }
        for (int i = 0; i < knownCount; i++) {
            if (known[i] == object) {
                return i + 1;
            }
        }
        if (knownCount == known.length) {
            Object[] more = new Object[knownCount * 2];
            System.arraycopy(known, 0, more, 0, knownCount);
            known = more;
        }
        known[knownCount++] = object;
        return knownCount;
    }
}
