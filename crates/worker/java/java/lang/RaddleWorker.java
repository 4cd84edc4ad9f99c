package java.lang;

/** A thread that runs one of the plan's parts, run after run. */
final class RaddleWorker extends Thread {
    /** Its state in the model; the same in all runs. */
    final RaddleThread state;
    /** Of uncontrolled runs: the last one that it has begun, and the last one that it has ended. */
    private volatile int begun;
    volatile int ended;

    RaddleWorker(int id) {
        super("thread " + id);
        setDaemon(true);
        state = new RaddleThread(id);
        state.thread = this;
        state.reset(RaddleThread.FINISHED);
    }

    @Override
    public void run() {
        RaddleEngine.pin();
        for (;;) {
            if (RaddleScheduler.awaitWork(state, begun)) {
                part();
                RaddleScheduler.leave(state);
            } else {
                begun = RaddleStress.round;
                RaddleNative.pin(-1);
                RaddleStress.line();
                part();
                ended = begun;
                RaddleEngine.pin();
            }
        }
    }

    private void part() {
        try {
            RaddleEngine.plan.run(state.id, RaddleEngine.variables);
        } catch (Throwable e) {
            // The end of the run; calls catch everything else.
        }
        Thread.interrupted();
    }
}
