// PerUserPoolDataSource: one is registered while another is closed: ConcurrentModificationException.

package pairs;

import org.apache.commons.dbcp.datasources.PerUserPoolDataSource;

public class S02 implements Pair {
    private final PerUserPoolDataSource bystander = new PerUserPoolDataSource();
    private final PerUserPoolDataSource registered = new PerUserPoolDataSource();
    private final PerUserPoolDataSource closed = new PerUserPoolDataSource();

    public S02() {
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
