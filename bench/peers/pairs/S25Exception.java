// DynamicBin1D, sampled while it is emptied: an exception or a wrong sample.

package pairs;

import cern.jet.random.engine.MersenneTwister;
import hep.aida.bin.DynamicBin1D;

public class S25Exception implements Pair {
    private final DynamicBin1D first = new DynamicBin1D();
    private final DynamicBin1D second = new DynamicBin1D();

    public S25Exception() {
        for (DynamicBin1D bin : new DynamicBin1D[] {first, second}) {
            bin.add(1);
            bin.add(3);
        }
    }

    @Override
    public Object a() throws Exception {
        return first.sampleBootstrap(second, 3, new MersenneTwister(1), (x, y) -> x.mean() - y.mean()).size();
    }

    @Override
    public Object b() throws Exception {
        second.clear();
        second.trimToSize();
        return null;
    }
}
