// SharedPoolDataSource: one is registered while another is closed: ConcurrentModificationException.

package pairs;

import org.apache.commons.dbcp.datasources.SharedPoolDataSource;

public class S03 implements Pair {
    private final SharedPoolDataSource bystander = new SharedPoolDataSource();
    private final SharedPoolDataSource registered = new SharedPoolDataSource();
    private final SharedPoolDataSource closed = new SharedPoolDataSource();

    public S03() {
        bystander.setDataSourceName("b");
        closed.setDataSourceName("c");
    }

    @Override
    public Object a() throws Exception {
        registered.setDataSourceName("r");
        return null;
    }

    @Override
    public Object b() throws Exception {
        closed.close();
        return null;
    }

    @Override
    public Object after() throws Exception {
        // What is not closed stays in a map for ever.
        registered.close();
        bystander.close();
        return null;
    }
}
