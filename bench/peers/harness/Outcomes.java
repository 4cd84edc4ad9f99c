// What a pair gives when its calls come one after the other, in both orders, and whether a run gives something else.

package pairs;

import java.lang.reflect.Constructor;
import java.util.LinkedHashSet;
import java.util.Set;

final class Outcomes {
    private final Constructor<? extends Pair> constructor;
    private final Set<String> sequential = new LinkedHashSet<>();

    /** Where nothing is to be found, both orders are not tried: calls may wait for those of the other thread. */
    Outcomes(String name, boolean finds) throws Exception {
        constructor = Class.forName(name).asSubclass(Pair.class).getConstructor();
        if (!finds) {
            return;
        }
        // Once to load classes and fill caches, once to look.
        for (int round = 0; round < 2; round++) {
            sequential.clear();
            Pair first = make();
            Object a = a(first);
            sequential.add(tell(first, a, b(first)));
            Pair second = make();
            Object b = b(second);
            sequential.add(tell(second, a(second), b));
        }
    }

    Pair make() throws Exception {
        return constructor.newInstance();
    }

    /** What the run gave if no order gives it, else null. */
    String judge(Pair pair, Object a, Object b) {
        String told = tell(pair, a, b);
        return sequential.contains(told) ? null : told;
    }

    static Object a(Pair pair) {
        try {
            return pair.a();
        } catch (Throwable thrown) {
            return thrown.getClass().getName();
        }
    }

    static Object b(Pair pair) {
        try {
            return pair.b();
        } catch (Throwable thrown) {
            return thrown.getClass().getName();
        }
    }

    private static String tell(Pair pair, Object a, Object b) {
        Object after;
        try {
            after = pair.after();
        } catch (Throwable thrown) {
            after = thrown.getClass().getName();
        }
        return a + " | " + b + " | " + after;
    }
}
