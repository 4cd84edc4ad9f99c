// ApplicationStatistic, two times logged: one is lost.

package pairs;

import standin.s30.ApplicationStatistic;

public class S30Standin implements Pair {
    private final ApplicationStatistic statistic = new ApplicationStatistic("x");

    @Override
    public Object a() throws Exception {
        statistic.logTime(1);
        return null;
    }

    @Override
    public Object b() throws Exception {
        statistic.logTime(2);
        return null;
    }

    @Override
    public Object after() throws Exception {
        return statistic.executionCount();
    }
}
