package java.lang;

/**
 * Which steps of a run are about something that another thread of the same run is about too, and not both only read.
 * A switch anywhere else makes no difference to the run, as long as it goes the same way.
 *
 * <p>Objects are told apart by looking at those of the same class, since workers run with constant identity hash codes.
 */
final class RaddleSharedPoints {
    private RaddleSharedPoints() {
    }

    static boolean isOn;

    /** Where the class of an object is noted in its header: the same number for objects of one class. */
    private static final long CLASS_OFFSET = 8;
    /** In place of a field or index: all elements of an array, everything that is done atomically or by code that is not
     * interleaved, the monitor. */
    private static final long ELEMENTS = -10;
    private static final long ATOMICALLY = -11;
    private static final long MONITOR = -12;
    private static final int NOTHING = -1;
    /** An object that was not used for so long counts as another one: threads that meet do so again and again. */
    private static final int MAX_LOOKS = 100;
    /** Threads beyond are all taken for one. */
    private static final int MAX_THREADS = 31;

    /** One per step: the place that the running thread is about. */
    private static int[] steps = new int[256];

    /** Objects, and chains of those of like classes. */
    private static Object[] objects = new Object[256];
    private static int[] nextObject = new int[256];
    private static int[] firstObject = new int[256];
    private static int objectCount;

    /** Places: a part of an object, and who reads and writes it. */
    private static int[] ofObject = new int[256];
    private static long[] parts = new long[256];
    private static int[] readers = new int[256];
    private static int[] writers = new int[256];
    private static int[] nextPlace = new int[256];
    private static int[] firstPlace = new int[256];
    private static int placeCount;

    static void reset() {
        for (int i = 0; i < objectCount; i++) {
            objects[i] = null;
        }
        objectCount = 0;
        placeCount = 0;
        clear(firstObject);
        clear(firstPlace);
    }

    private static void clear(int[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = NOTHING;
        }
    }

    /** The thread is about to do its operation at this step, or later. */
    static void step(int step, RaddleThread t) {
        if (step == steps.length) {
            steps = grown(steps);
        }
        steps[step] = place(t);
    }

    private static int place(RaddleThread t) {
        switch (t.op) {
            case RaddleThread.READ:
            case RaddleThread.WRITE:
                if (t.index == RaddleThread.ALL_STATE && t.object != null) {
                    return touched(t, ATOMICALLY);
                }
                return touched(t, t.index == -1 || t.object == null ? RaddleFields.key(t.site) : ELEMENTS);
            case RaddleThread.ATOMIC:
                return touched(t, ATOMICALLY);
            case RaddleThread.ENTER:
            case RaddleThread.WAIT:
            case RaddleThread.WAITING:
            case RaddleThread.NOTIFY:
            case RaddleThread.PARK:
            case RaddleThread.UNPARK:
            case RaddleThread.JOIN:
            case RaddleThread.INTERRUPT:
                return touched(t, MONITOR);
            default:
                return NOTHING;
        }
    }

    private static int touched(RaddleThread t, long part) {
        int place = find(object(t.object), part);
        int bit = 1 << Math.min(t.id, MAX_THREADS);
        RaddleMeetings.blurred |= t.id >= MAX_THREADS;
        if (t.op == RaddleThread.READ) {
            readers[place] |= bit;
        } else {
            writers[place] |= bit;
        }
        return place;
    }

    /** A number for the object; 0 for none. */
    private static int object(Object object) {
        if (object == null) {
            return 0;
        }
        int slot = RaddleScheduler.unsafe.getInt(object, CLASS_OFFSET) * 0x9E3779B9 >>> 8 & firstObject.length - 1;
        int before = NOTHING;
        int looks = 0;
        for (int i = firstObject[slot]; i >= 0 && looks < MAX_LOOKS; i = nextObject[i]) {
            if (objects[i] == object) {
                if (before >= 0) {
                    // To the front: what is used is used again.
                    nextObject[before] = nextObject[i];
                    nextObject[i] = firstObject[slot];
                    firstObject[slot] = i;
                }
                return i + 1;
            }
            before = i;
            looks++;
        }
        // There may be the same object further back.
        RaddleMeetings.blurred |= looks == MAX_LOOKS;
        if (objectCount == objects.length) {
            Object[] more = new Object[objectCount * 2];
            for (int i = 0; i < objectCount; i++) {
                more[i] = objects[i];
            }
            objects = more;
            nextObject = grown(nextObject);
        }
        objects[objectCount] = object;
        nextObject[objectCount] = firstObject[slot];
        firstObject[slot] = objectCount;
        return ++objectCount;
    }

    private static int find(int object, long part) {
        int slot = slot(object, part);
        for (int i = firstPlace[slot]; i >= 0; i = nextPlace[i]) {
            if (ofObject[i] == object && parts[i] == part) {
                return i;
            }
        }
        if (placeCount == ofObject.length) {
            growPlaces();
            slot = slot(object, part);
        }
        int added = placeCount++;
        ofObject[added] = object;
        parts[added] = part;
        readers[added] = 0;
        writers[added] = 0;
        nextPlace[added] = firstPlace[slot];
        firstPlace[slot] = added;
        return added;
    }

    private static int slot(int object, long part) {
        return (object * 31 + (int) part) * 0x9E3779B9 >>> 8 & firstPlace.length - 1;
    }

    private static void growPlaces() {
        ofObject = grown(ofObject);
        readers = grown(readers);
        writers = grown(writers);
        nextPlace = grown(nextPlace);
        long[] more = new long[parts.length * 2];
        for (int i = 0; i < parts.length; i++) {
            more[i] = parts[i];
        }
        parts = more;
        firstPlace = new int[firstPlace.length * 2];
        clear(firstPlace);
        for (int i = 0; i < placeCount; i++) {
            int slot = slot(ofObject[i], parts[i]);
            nextPlace[i] = firstPlace[slot];
            firstPlace[slot] = i;
        }
    }

    private static int[] grown(int[] from) {
        int[] to = new int[from.length * 2];
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
        }
        return to;
    }

    /** After the run: whether what the step is about concerns more than one thread. */
    static boolean isShared(int step) {
        int place = steps[step];
        if (place == NOTHING) {
            return false;
        }
        if (isContended(readers[place], writers[place])) {
            return true;
        }
        // An atomic access knows an offset, a plain one a field: they may be the same.
        if (parts[place] == ATOMICALLY || parts[place] == MONITOR) {
            return parts[place] == ATOMICALLY && isTouchedByOthers(ofObject[place], writers[place]);
        }
        int atomic = known(ofObject[place], ATOMICALLY);
        return atomic >= 0 && isContended(readers[place], writers[place] | writers[atomic]);
    }

    private static boolean isTouchedByOthers(int object, int mask) {
        for (int i = 0; i < placeCount; i++) {
            if (ofObject[i] == object && parts[i] != MONITOR && ((readers[i] | writers[i]) & ~mask) != 0) {
                return true;
            }
        }
        return false;
    }

    private static int known(int object, long part) {
        int i = firstPlace[slot(object, part)];
        while (i >= 0 && (ofObject[i] != object || parts[i] != part)) {
            i = nextPlace[i];
        }
        return i;
    }

    /** Somebody writes, and there is somebody else. */
    private static boolean isContended(int readers, int writers) {
        int all = readers | writers;
        return writers != 0 && (all & all - 1) != 0;
    }
}
