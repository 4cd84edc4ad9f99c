// Runs a pair under JCStress. PAIR stands for the class of the pair, and is put in before this is compiled.

package pairs;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

@JCStressTest
@Outcome(id = "sequential", expect = Expect.ACCEPTABLE, desc = "as if one call came after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "what no order gives")
@State
public class PAIRTest {
    private final PAIR pair = PAIRJudge.make();
    private Object a;
    private Object b;

    @Actor
    public void first() {
        a = Outcomes.a(pair);
    }

    @Actor
    public void second() {
        b = Outcomes.b(pair);
    }

    @Arbiter
    public void compare(L_Result result) {
        result.r1 = PAIRJudge.judge(pair, a, b);
    }
}

final class PAIRJudge {
    private static final boolean FINDS = Boolean.getBoolean("raddle.find");
    private static final Outcomes OUTCOMES = begin();
    private static long count;

    private PAIRJudge() {}

    private static Outcomes begin() {
        try {
            Outcomes outcomes = new Outcomes("pairs.PAIR", FINDS);
            Watch.start(() -> count, FINDS);
            return outcomes;
        } catch (Exception failure) {
            Journal.cannot(failure);
            throw new IllegalStateException(failure);
        }
    }

    static PAIR make() {
        try {
            return (PAIR) OUTCOMES.make();
        } catch (Exception failure) {
            Journal.cannot(failure);
            throw new IllegalStateException(failure);
        }
    }

    static String judge(Pair pair, Object a, Object b) {
        count++;
        String other = OUTCOMES.judge(pair, a, b);
        if (FINDS && other != null) {
            Journal.found(other, count);
        }
        return other == null ? "sequential" : other;
    }
}
