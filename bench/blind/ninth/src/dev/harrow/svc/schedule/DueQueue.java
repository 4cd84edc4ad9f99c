package dev.harrow.svc.schedule;

import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An unbounded queue of elements that become due after a delay of their own. {@link #take()} waits
 * until the element that is due first is due, and removes it.
 *
 * @param <E> the element type
 */
public final class DueQueue<E> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Item<E>> heap = new PriorityQueue<>();
    private long sequence;

    /** Adds an element that becomes due after the given delay. */
    public void add(E element, long delay, TimeUnit unit) {
        Objects.requireNonNull(element);
        long dueAt = System.nanoTime() + unit.toNanos(delay);
        lock.lock();
        try {
            heap.add(new Item<>(element, dueAt, sequence++));
            if (heap.size() == 1) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes the first element to become due, waiting until it is. */
    public E take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (;;) {
                Item<E> first = heap.peek();
                if (first == null) {
                    changed.await();
                    continue;
                }
                long wait = first.dueAt - System.nanoTime();
                if (wait > 0) {
                    changed.awaitNanos(wait);
                    continue;
                }
                heap.poll();
                if (!heap.isEmpty()) {
                    changed.signal();
                }
                return first.element;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes the first element if it is due already, or returns {@code null}. */
    public E poll() {
        lock.lock();
        try {
            Item<E> first = heap.peek();
            if (first == null || first.dueAt - System.nanoTime() > 0) {
                return null;
            }
            return heap.poll().element;
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return heap.size();
        } finally {
            lock.unlock();
        }
    }

    private record Item<E>(E element, long dueAt, long order) implements Comparable<Item<E>> {
        @Override
        public int compareTo(Item<E> other) {
            long diff = dueAt - other.dueAt;
            return diff != 0 ? Long.signum(diff) : Long.compare(order, other.order);
        }
    }
}
