package net.harborline.registry;

/** Opens channels. Implementations are safe for use by several threads. */
public interface Connector {

    /** Opens a channel to the host, never {@code null}. */
    Channel connect(String host);
}
