// DynamicBin1D, each compared with the other: deadlock.

package pairs;

import hep.aida.bin.DynamicBin1D;

public class S25Deadlock implements Pair {
    private final DynamicBin1D first = new DynamicBin1D();
    private final DynamicBin1D second = new DynamicBin1D();

    public S25Deadlock() {
        for (DynamicBin1D bin : new DynamicBin1D[] {first, second}) {
            bin.add(1);
            bin.add(3);
        }
    }

    @Override
    public Object a() throws Exception {
        return first.equals(second);
    }

    @Override
    public Object b() throws Exception {
        return second.covariance(first);
    }
}
