/*
 * Subject S29, stands for org.cometd.client.ext.TimesyncClientExtension of CometD 2.7.0. 7 public methods.
 *
 * Pattern: the volatile fields `lag` and `offset` are read, averaged with a new value and written back, without a lock.
 * Pair:    rcvMeta(m) ∥ rcvMeta(n), with messages of different times.
 * Shows:   one of the two is lost: getNetworkLag and getTimeOffset return what no order gives. Nothing throws.
 */
package standin.s29;

/** Estimates how far the clock of a server is from ours. */
public class TimesyncClientExtension {
    private volatile int lag;
    private volatile int offset;

    public TimesyncClientExtension() {
    }

    public boolean rcv(Message message) {
        return true;
    }

    public boolean rcvMeta(Message message) {
        int newLag = (int) ((message.arrived() - message.sent() - message.processing()) / 2);
        int newOffset = (int) (message.serverTime() - message.sent() - newLag);
        lag = lag == 0 ? newLag : (lag + newLag) / 2;
        offset = offset == 0 ? newOffset : (offset + newOffset) / 2;
        return true;
    }

    public boolean send(Message message) {
        return true;
    }

    public boolean sendMeta(Message message) {
        message.setEstimate(lag, offset);
        return true;
    }

    public int getNetworkLag() {
        return lag;
    }

    public int getTimeOffset() {
        return offset;
    }

    public long getServerTime() {
        return System.currentTimeMillis() + offset;
    }
}
