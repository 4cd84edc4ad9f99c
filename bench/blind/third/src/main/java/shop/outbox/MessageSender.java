package shop.outbox;

/** Sends messages to the broker. */
@FunctionalInterface
public interface MessageSender {

    /**
     * Sends a message.
     *
     * @throws RuntimeException if the message could not be sent
     */
    void send(Outbox.Message message);
}
