// TimesyncClientExtension, two messages: one is lost.

package pairs;

import standin.s29.Message;
import standin.s29.TimesyncClientExtension;

public class S29Standin implements Pair {
    private final TimesyncClientExtension extension = new TimesyncClientExtension();

    @Override
    public Object a() throws Exception {
        return extension.rcvMeta(new Message(0, 40, 0, 20));
    }

    @Override
    public Object b() throws Exception {
        return extension.rcvMeta(new Message(0, 400, 0, 200));
    }

    @Override
    public Object after() throws Exception {
        return extension.getNetworkLag() + " " + extension.getTimeOffset();
    }
}
