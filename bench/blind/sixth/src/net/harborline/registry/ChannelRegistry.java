package net.harborline.registry;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares channels between the clients of a node: all clients that talk to a host use the same
 * channel, which is closed when the last of them has released it.
 *
 * <p>Each successful {@link #acquire(String)} must be followed by one {@link #release(String)}.
 * A channel returned by {@code acquire} stays open until the caller releases it. All methods may be
 * called from any thread.
 */
public class ChannelRegistry {

    private static final class Shared {
        final Channel channel;
        final AtomicInteger users = new AtomicInteger();

        Shared(Channel channel) {
            this.channel = channel;
        }
    }

    private final Connector connector;
    private final ConcurrentMap<String, Shared> channels = new ConcurrentHashMap<>();

    public ChannelRegistry(Connector connector) {
        this.connector = Objects.requireNonNull(connector, "connector");
    }

    /** Returns the channel to the host and opens it if nobody else uses it. */
    public Channel acquire(String host) {
        Shared shared = channels.computeIfAbsent(host, h -> new Shared(connector.connect(h)));
        shared.users.incrementAndGet();
        return shared.channel;
    }

    /**
     * Releases the channel to the host.
     *
     * @throws IllegalStateException if there is no such channel
     */
    public void release(String host) {
        Shared shared = channels.get(host);
        if (shared == null) {
            throw new IllegalStateException("not acquired: " + host);
        }
        if (shared.users.decrementAndGet() == 0 && channels.remove(host, shared)) {
            shared.channel.close();
        }
    }

    /** Returns the number of users of the channel to the host. */
    public int users(String host) {
        Shared shared = channels.get(host);
        return shared == null ? 0 : shared.users.get();
    }

    /** Returns the number of channels open. */
    public int size() {
        return channels.size();
    }
}
