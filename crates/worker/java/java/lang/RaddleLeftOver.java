package java.lang;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;

/**
 * Threads that outlive those of the plan. A run is over when they have ended as well, or can never go on. Daemon threads do what
 * they can do at once: a pool of them has work that was accepted, and whoever looks at its results later finds it done. Nobody
 * waits for time to pass for them, as no JVM does, and not for ever for a thread that looks round from time to time.
 */
final class RaddleLeftOver {
    private RaddleLeftOver() {
    }

    /** What threads may do after those of the plan have ended: so many points, and so often let time pass. */
    private static final int MOST_POINTS = 20_000;
    private static final int MOST_WAITS = 16;
    /** The same of daemon threads, which may never come to rest. */
    private static final int MOST_POINTS_OF_DAEMONS = 1_000;
    /** An idle thread of a pool looks round for so long that others would wait for nothing else. */
    private static final int MOST_SPINS_OF_DAEMONS = 50;
    /** How often others are let run in the hope that they give a lock back: some milliseconds. */
    private static final int MOST_YIELDS = 20_000;
    private static final int FEW_YIELDS = 200;

    /** The point at which the last thread of the plan had ended; -1 before. */
    private static int since = -1;
    private static int waits;
    /** Steps at which all that daemon threads did was to look round, and the last of them. */
    private static int spins;
    private static int lastSpin;

    static void reset() {
        since = -1;
        waits = 0;
        spins = 0;
        lastSpin = -1;
    }

    static void timePassed() {
        if (since >= 0) {
            waits++;
        }
    }

    /** The plan's threads have ended: whether there is nothing more to wait for. */
    static boolean isSettled() {
        if (RaddleModel.count == RaddleModel.planThreads + 1) {
            return true;
        }
        if (since < 0) {
            since = RaddleScheduler.steps;
        }
        if (RaddleScheduler.steps - since > MOST_POINTS) {
            return true;
        }
        boolean isSpinning = false;
        boolean hasTime = RaddleScheduler.steps - since <= MOST_POINTS_OF_DAEMONS;
        for (int i = RaddleModel.planThreads + 1; i < RaddleModel.count; i++) {
            RaddleThread t = RaddleModel.threads[i];
            if (t.op == RaddleThread.FINISHED) {
                continue;
            }
            if (!t.thread.isDaemon()) {
                if (t.enabled() || t.deadline != RaddleThread.NEVER && waits < MOST_WAITS) {
                    return false;
                }
            } else if (hasTime && t.op == RaddleThread.YIELD) {
                // It may be waiting for another one, which comes first.
                isSpinning = true;
            } else if (hasTime && t.enabled()) {
                return false;
            }
        }
        return !isSpinning || areDoneSpinning();
    }

    /** This is asked more than once a step. */
    private static boolean areDoneSpinning() {
        if (lastSpin != RaddleScheduler.steps) {
            lastSpin = RaddleScheduler.steps;
            spins++;
        }
        return spins > MOST_SPINS_OF_DAEMONS;
    }

    /** Whether one of them waits for a lock that nobody will give back. */
    static boolean isStuck() {
        boolean isStuck = false;
        for (int i = RaddleModel.planThreads + 1; i < RaddleModel.count; i++) {
            RaddleThread t = RaddleModel.threads[i];
            if (t.enabled() || t.op != RaddleThread.FINISHED && t.deadline != RaddleThread.NEVER) {
                return false;
            }
            isStuck |= !t.thread.isDaemon() && wantsLock(t);
        }
        return isStuck;
    }

    /**
     * Nobody can go on. A thread that is not controlled may have a lock that one of them waits for: finalizers shut pools down.
     * True if it has given the lock back, for which it gets some time.
     */
    static boolean waitForOthers() {
        RaddleThread waiting = null;
        int yields = 0;
        for (int i = 0; i < RaddleModel.count; i++) {
            RaddleThread t = RaddleModel.threads[i];
            Object blocker = t.op == RaddleThread.PARK ? RaddleFields.parkBlocker(t.thread) : null;
            if (!(blocker instanceof AbstractOwnableSynchronizer)) {
                continue;
            }
            Object owner = RaddleFields.owner((AbstractOwnableSynchronizer) blocker);
            if (owner == null || RaddleModel.of(owner) == null) {
                waiting = t;
                // Who has just given it back is about to say so.
                yields = Math.max(yields, owner == null ? FEW_YIELDS : MOST_YIELDS);
            }
        }
        for (int i = 0; i < yields && !waiting.permit; i++) {
            Thread.yield();
        }
        return waiting != null && waiting.permit;
    }

    private static boolean wantsLock(RaddleThread t) {
        if (t.op != RaddleThread.PARK) {
            return t.op == RaddleThread.ENTER || t.op == RaddleThread.WAITING && t.wasWoken();
        }
        Object blocker = RaddleFields.parkBlocker(t.thread);
        Object owner = blocker instanceof AbstractOwnableSynchronizer
                ? RaddleFields.owner((AbstractOwnableSynchronizer) blocker) : null;
        RaddleThread holder = owner == null ? null : RaddleModel.of(owner);
        return holder != null && holder != t;
    }
}
