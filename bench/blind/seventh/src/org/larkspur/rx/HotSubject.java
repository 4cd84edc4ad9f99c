package org.larkspur.rx;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A hot source that relays the events it is given to all current observers.
 *
 * <p>The methods {@link #next}, {@link #error} and {@link #complete} may be called from any thread
 * concurrently; observers are called by one thread at a time and never receive an event after
 * {@code onError} or {@code onComplete}.
 *
 * @param <T> the type of events
 */
public final class HotSubject<T> {

    /**
     * Receives events.
     *
     * @param <T> the type of events
     */
    public interface Observer<T> {
        /** Receives an event. */
        void onNext(T event);

        /** Receives the failure which ends the sequence. */
        void onError(Throwable failure);

        /** Receives the end of the sequence. */
        void onComplete();
    }

    private final List<Observer<? super T>> observers = new CopyOnWriteArrayList<>();
    private final Object emission = new Object();

    private Throwable failure;
    private volatile boolean terminated;

    /**
     * Adds an observer. If the sequence has ended, the observer is told so at once.
     *
     * @param observer the observer
     */
    public void subscribe(Observer<? super T> observer) {
        Objects.requireNonNull(observer, "observer");
        synchronized (emission) {
            if (!terminated) {
                observers.add(observer);
                return;
            }
        }
        finish(observer);
    }

    /**
     * Removes an observer.
     *
     * @param observer the observer
     * @return true if it was subscribed
     */
    public boolean unsubscribe(Observer<? super T> observer) {
        return observers.remove(observer);
    }

    /** Relays an event, or drops it if the sequence has ended. */
    public void next(T event) {
        Objects.requireNonNull(event, "event");
        if (terminated) {
            return;
        }
        synchronized (emission) {
            for (Observer<? super T> observer : observers) {
                observer.onNext(event);
            }
        }
    }

    /** Ends the sequence with a failure. */
    public void error(Throwable cause) {
        terminate(Objects.requireNonNull(cause, "cause"));
    }

    /** Ends the sequence. */
    public void complete() {
        terminate(null);
    }

    /** Returns whether the sequence has ended. */
    public boolean isTerminated() {
        return terminated;
    }

    private void terminate(Throwable cause) {
        synchronized (emission) {
            if (terminated) {
                return;
            }
            failure = cause;
            terminated = true;
            for (Observer<? super T> observer : observers) {
                finish(observer);
            }
        }
    }

    private void finish(Observer<? super T> observer) {
        if (failure != null) {
            observer.onError(failure);
        } else {
            observer.onComplete();
        }
    }
}
