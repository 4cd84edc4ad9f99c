package org.fenwater.util;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Replaces equal objects by one representative, which is kept only as long as somebody uses it.
 * At any time there is at most one representative in use among equal objects.
 *
 * @param <T> the type of the objects, which must not change while interned
 */
public final class WeakInterner<T> {

    private final ConcurrentMap<Ref<T>, Ref<T>> refs = new ConcurrentHashMap<>();
    private final ReferenceQueue<T> cleared = new ReferenceQueue<>();

    /** Returns the representative of the objects equal to {@code object}. */
    public T intern(T object) {
        purge();
        Ref<T> mine = new Ref<>(object, cleared);
        for (;;) {
            Ref<T> present = refs.putIfAbsent(mine, mine);
            if (present == null) {
                return object;
            }
            T representative = present.get();
            if (representative != null) {
                return representative;
            }
            refs.remove(present, present);
        }
    }

    /** Returns the representative, or {@code null} if there is none at present. */
    public T lookUp(T object) {
        try {
            Ref<T> present = refs.get(new Ref<>(object, null));
            return present == null ? null : present.get();
        } finally {
            Reference.reachabilityFence(object);
        }
    }

    private void purge() {
        for (Reference<? extends T> ref; (ref = cleared.poll()) != null;) {
            refs.remove(ref);
        }
    }

    private static final class Ref<T> extends WeakReference<T> {

        private final int hash;

        Ref(T object, ReferenceQueue<T> queue) {
            super(object, queue);
            hash = object.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object o) {
            if (this == o) {
                return true;
            }
            if (!(o instanceof Ref<?> other)) {
                return false;
            }
            T object = get();
            return object != null && object.equals(other.get());
        }
    }
}
