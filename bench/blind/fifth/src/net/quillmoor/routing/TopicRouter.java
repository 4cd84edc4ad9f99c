package net.quillmoor.routing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Routes messages to the handlers bound to their topic.
 *
 * <p>Thread-safe. Routing works on an immutable table and takes no lock; changing the bindings
 * replaces the table. A message routed while bindings change goes to either the old or the new
 * handlers.
 */
public class TopicRouter {

    /** Receives messages of a topic. */
    public interface Handler {
        /** Returns a name for diagnostics. */
        String name();

        /** Handles a message. */
        void handle(String topic, Object message);
    }

    private volatile Map<String, List<Handler>> table = Map.of();

    /** Creates a router without bindings. */
    public TopicRouter() {
    }

    /** Binds a handler to a topic; binding it twice makes it receive messages twice. */
    public synchronized void bind(String topic, Handler handler) {
        Objects.requireNonNull(handler, "handler");
        Map<String, List<Handler>> next = new HashMap<>(table);
        List<Handler> handlers = new ArrayList<>(next.getOrDefault(topic, List.of()));
        handlers.add(handler);
        next.put(topic, List.copyOf(handlers));
        table = Map.copyOf(next);
    }

    /**
     * Removes a handler from all topics.
     *
     * @return the number of bindings removed
     */
    public int unbind(Handler handler) {
        Map<String, List<Handler>> current = table;
        Map<String, List<Handler>> next = new HashMap<>();
        int removed = 0;
        for (Map.Entry<String, List<Handler>> route : current.entrySet()) {
            List<Handler> kept = new ArrayList<>(route.getValue());
            kept.removeIf(h -> h == handler);
            removed += route.getValue().size() - kept.size();
            if (!kept.isEmpty()) {
                next.put(route.getKey(), List.copyOf(kept));
            }
        }
        if (removed > 0) {
            table = Map.copyOf(next);
        }
        return removed;
    }

    /**
     * Passes a message to the handlers of a topic, in the order they were bound.
     *
     * @return the number of handlers called
     */
    public int route(String topic, Object message) {
        List<Handler> handlers = table.getOrDefault(topic, List.of());
        for (Handler handler : handlers) {
            handler.handle(topic, message);
        }
        return handlers.size();
    }

    /** Returns the names of the handlers bound to a topic. */
    public List<String> handlersOf(String topic) {
        return table.getOrDefault(topic, List.of()).stream().map(Handler::name).toList();
    }

    /** Returns the number of topics with at least one handler. */
    public int topicCount() {
        return table.size();
    }
}
