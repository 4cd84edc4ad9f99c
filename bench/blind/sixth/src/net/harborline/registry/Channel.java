package net.harborline.registry;

/** An open connection to a host. */
public interface Channel {

    boolean isOpen();

    /** Closes the channel for good. */
    void close();
}
