// Logger of JDK 1.4.1, its filter taken away while it logs: NullPointerException.

package pairs;

import standin.s20.LevelFilter;
import standin.s20.Logger;

public class S20Standin implements Pair {
    private final Logger logger = Logger.getAnonymousLogger();

    public S20Standin() {
        logger.setFilter(new LevelFilter());
    }

    @Override
    public Object a() throws Exception {
        logger.setFilter(null);
        return null;
    }

    @Override
    public Object b() throws Exception {
        logger.info("m");
        return null;
    }
}
