// Two locks, taken in one order, as `fixtures/engine/clean/LocksInOrder.java`.

package pairs;

import java.util.concurrent.locks.ReentrantLock;

public class LocksInOrder implements Pair {
    private final ReentrantLock first = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private int count;

    @Override
    public Object a() {
        first.lock();
        try {
            second.lock();
            try {
                count++;
            } finally {
                second.unlock();
            }
        } finally {
            first.unlock();
        }
        return null;
    }

    @Override
    public Object b() {
        return a();
    }

    @Override
    public Object after() {
        return count;
    }
}
