package java.lang;

/** A thread that runs one of the plan's parts, run after run. */
final class RaddleWorker extends Thread {
    /** Its state in the model; the same in all runs. */
    final RaddleThread state;
    /** Of uncontrolled runs: the last one that it has begun, and the last one that it has ended. */
    private volatile int begun;
    volatile int ended;
    /** Whether it has a CPU to itself, as far as there are enough. */
    private boolean apart;

    RaddleWorker(int id) {
        super("thread " + id);
        state = new RaddleThread(id);
        state.thread = this;
        state.reset(RaddleThread.FINISHED);
    }

    @Override
    public void run() {
        RaddleEngine.pin();
        for (;;) {
            if (RaddleScheduler.awaitWork(state, begun)) {
                if (apart) {
                    apart = false;
                    RaddleEngine.pin();
                }
                part();
                RaddleScheduler.leave(state);
            } else {
                begun = RaddleStress.round;
                if (!apart) {
                    // Left to itself, the kernel may take milliseconds to move one of two threads away.
                    apart = true;
                    RaddleNative.pin(-1 - state.id);
                }
                RaddleStress.line();
                part();
                ended = begun;
                RaddleStress.done();
            }
        }
    }

    private void part() {
        // Others may have interrupted it after its last part.
        Thread.interrupted();
        try {
            RaddleEngine.plan.run(state.id, RaddleEngine.variables);
        } catch (Throwable e) {
            // The end of the run; calls catch everything else.
        }
        Thread.interrupted();
    }
}
