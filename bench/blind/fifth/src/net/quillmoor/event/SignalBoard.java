package net.quillmoor.event;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Passes signals to listeners.
 *
 * <p>Thread-safe. A signal goes to the listeners that were attached when {@link #raise} began. A
 * listener attached meanwhile misses that signal; one detached meanwhile may still get it, even
 * after {@link Attachment#close()} has returned. Different signals may reach a listener at the same
 * time or in a different order when raised by different threads.
 *
 * @param <S> the signal type
 */
public final class SignalBoard<S> {

    /** Receives signals. Must be thread-safe. */
    public interface Listener<S> {
        /** Takes a signal. An exception is reported and does not stop other listeners. */
        void onSignal(S signal);
    }

    private final CopyOnWriteArrayList<Attachment> attachments = new CopyOnWriteArrayList<>();
    private final AtomicInteger attached = new AtomicInteger();
    private final BiConsumer<? super S, ? super RuntimeException> failures;

    /**
     * Creates a board.
     *
     * @param failures told about exceptions of listeners
     */
    public SignalBoard(BiConsumer<? super S, ? super RuntimeException> failures) {
        this.failures = Objects.requireNonNull(failures, "failures");
    }

    /** Attaches a listener. The same listener may be attached several times. */
    public Attachment attach(Listener<? super S> listener) {
        Attachment attachment = new Attachment(Objects.requireNonNull(listener, "listener"));
        attachments.add(attachment);
        attached.incrementAndGet();
        return attachment;
    }

    /**
     * Passes a signal to the listeners.
     *
     * @return the number of listeners that took it without an exception
     */
    public int raise(S signal) {
        int taken = 0;
        for (Attachment attachment : attachments) {
            try {
                attachment.listener.onSignal(signal);
                taken++;
            } catch (RuntimeException e) {
                failures.accept(signal, e);
            }
        }
        return taken;
    }

    /**
     * Returns the number of attached listeners. May lag behind an attach or close that is in
     * progress on another thread.
     */
    public int attached() {
        return attached.get();
    }

    /** Returns the listeners attached at the moment of the call. */
    public List<Object> listeners() {
        return attachments.stream().<Object>map(a -> a.listener).toList();
    }

    /** A listener's place on the board. */
    public final class Attachment implements AutoCloseable {
        private final Listener<? super S> listener;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Attachment(Listener<? super S> listener) {
            this.listener = listener;
        }

        /** Detaches the listener; closing again has no effect. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                attachments.remove(this);
                attached.decrementAndGet();
            }
        }
    }
}
