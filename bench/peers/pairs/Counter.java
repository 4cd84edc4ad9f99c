// Two increments, one of them lost, as `fixtures/engine/wrong-result/Counter.java`.

package pairs;

public class Counter implements Pair {
    private int count;

    @Override
    public Object a() {
        count++;
        return null;
    }

    @Override
    public Object b() {
        count++;
        return null;
    }

    @Override
    public Object after() {
        return count;
    }
}
