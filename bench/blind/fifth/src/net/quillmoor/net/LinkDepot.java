package net.quillmoor.net;

import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps open links to a peer for reuse.
 *
 * <p>Links are borrowed and given back by any number of threads. Once the depot is closed, idle
 * links are closed and every link given back later is closed too, so that no link stays open after
 * the depot has been closed and all borrowed links have been given back.
 */
public final class LinkDepot implements AutoCloseable {

    /** A link to the peer. */
    public interface Link {
        /** Tells whether the link can be used. */
        boolean isOpen();

        /** Closes the link; closing again has no effect. */
        void close();
    }

    /** Opens links. */
    public interface Dialer {
        /** Opens a new link. */
        Link dial();
    }

    private final Dialer dialer;
    private final ConcurrentLinkedQueue<Link> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger dialled = new AtomicInteger();
    private volatile boolean closed;

    LinkDepot(Dialer dialer) {
        this.dialer = Objects.requireNonNull(dialer, "dialer");
    }

    /** Creates an open depot without idle links. */
    public static LinkDepot using(Dialer dialer) {
        return new LinkDepot(dialer);
    }

    /**
     * Borrows an idle link or dials a new one.
     *
     * @throws IllegalStateException if the depot has been closed
     */
    public Link borrow() {
        if (closed) {
            throw new IllegalStateException("depot closed");
        }
        for (Link link = idle.poll(); link != null; link = idle.poll()) {
            if (link.isOpen()) {
                return link;
            }
        }
        dialled.incrementAndGet();
        return dialer.dial();
    }

    /** Gives a borrowed link back. */
    public void giveBack(Link link) {
        Objects.requireNonNull(link, "link");
        if (closed || !link.isOpen()) {
            link.close();
            return;
        }
        idle.add(link);
    }

    /** Closes the depot and its idle links. Closing again has no effect. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Link link;
        while ((link = idle.poll()) != null) {
            link.close();
        }
    }

    /** Returns the number of links waiting to be reused. */
    public int idleCount() {
        return idle.size();
    }

    /** Returns how many links have been dialled. */
    public int dialled() {
        return dialled.get();
    }
}
