package b2.rpcchannel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.Queue;

/**
 * Matches replies with requests. {@link #call} puts a request into the outbox; the transport takes
 * it out with {@link #nextOutgoing()} and brings the reply with {@link #reply}.
 *
 * <p>Thread-safe. Once a request has been taken out of the outbox, the first reply to it completes
 * its future. Each request id is used once.
 */
public class RpcChannel {
    private final Queue<Integer> outbox = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<Integer, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();

    /** Sends a request; the future is completed by the reply. */
    public CompletableFuture<String> call(int id) {
        CompletableFuture<String> future = new CompletableFuture<>();
        outbox.add(id);
        waiting.put(id, future);
        return future;
    }

    /** Takes the oldest request out of the outbox; null if it is empty. */
    public Integer nextOutgoing() {
        return outbox.poll();
    }

    /**
     * Completes the request's future.
     *
     * @return false if no request with this id waits for a reply
     */
    public boolean reply(int id, String result) {
        CompletableFuture<String> future = waiting.remove(id);
        if (future == null) {
            return false;
        }
        return future.complete(result);
    }

    /** Tells whether the request waits for its reply. */
    public boolean isWaiting(int id) {
        return waiting.containsKey(id);
    }
}
