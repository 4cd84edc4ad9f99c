// TimesyncClientExtension, two messages: one is lost.

package pairs;

import java.util.HashMap;
import java.util.Map;
import org.cometd.bayeux.Message;
import org.cometd.client.ext.TimesyncClientExtension;
import org.cometd.common.HashMapMessage;

public class S29 implements Pair {
    private static final int COARSE = 100_000;

    private final TimesyncClientExtension extension = new TimesyncClientExtension();

    @Override
    public Object a() throws Exception {
        return extension.rcvMeta(null, message(1_000_000));
    }

    @Override
    public Object b() throws Exception {
        return extension.rcvMeta(null, message(10_000_000));
    }

    @Override
    public Object after() throws Exception {
        // The clock goes on between the calls, by much less than this.
        return extension.getLag() / COARSE;
    }

    private static Message.Mutable message(long age) {
        long sent = System.currentTimeMillis() - age;
        Map<String, Object> sync = new HashMap<>();
        sync.put("tc", sent);
        sync.put("ts", sent);
        sync.put("p", 0);
        Message.Mutable message = new HashMapMessage();
        message.getExt(true).put("timesync", sync);
        return message;
    }
}
