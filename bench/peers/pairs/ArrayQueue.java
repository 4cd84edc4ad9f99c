// A bounded queue between a producer and a consumer, as `fixtures/engine/clean/ArrayQueue.java`.

package pairs;

import java.util.concurrent.ArrayBlockingQueue;

public class ArrayQueue implements Pair {
    private final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);

    @Override
    public Object a() throws InterruptedException {
        queue.put(1);
        queue.put(2);
        return null;
    }

    @Override
    public Object b() throws InterruptedException {
        return queue.take() * 10 + queue.take();
    }
}
