// PortalStatistic, two times logged: one is lost.

package pairs;

import standin.s31.PortalStatistic;

public class S31Standin implements Pair {
    private final PortalStatistic statistic = new PortalStatistic();

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
        return statistic.viewCount();
    }
}
