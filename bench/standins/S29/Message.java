/* Subject S29: a message with the times at which it was on its way. */
package standin.s29;

public class Message {
    private final long sent;
    private final long serverTime;
    private final long processing;
    private final long arrived;
    private int lag;
    private int offset;

    public Message(long sent, long serverTime, long processing, long arrived) {
        this.sent = sent;
        this.serverTime = serverTime;
        this.processing = processing;
        this.arrived = arrived;
    }

    public long sent() {
        return sent;
    }

    public long serverTime() {
        return serverTime;
    }

    public long processing() {
        return processing;
    }

    public long arrived() {
        return arrived;
    }

    /** What the sender knows so far; one message belongs to one thread. */
    public void setEstimate(int lag, int offset) {
        this.lag = lag;
        this.offset = offset;
    }

    public String estimate() {
        return lag + " " + offset;
    }
}
