package com.acme.seq;

/**
 * The latest bid and ask price of an instrument. Readers do not block writers:
 * they read again if a sequence number shows that a write has happened
 * meanwhile. May be written and read by any thread.
 */
public class SequencedQuote {

    private volatile int sequence;
    private volatile long bid;
    private volatile long ask;

    /** Sets both prices. */
    public void update(long newBid, long newAsk) {
        sequence++;
        bid = newBid;
        ask = newAsk;
        sequence++;
    }

    /** Difference of ask and bid of one update. */
    public long spread() {
        for (;;) {
            int s = sequence;
            if ((s & 1) == 0) {
                long b = bid;
                long a = ask;
                if (s == sequence) {
                    return a - b;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Bid and ask of one update as text. */
    public String quote() {
        for (;;) {
            int s = sequence;
            if ((s & 1) == 0) {
                String q = bid + "/" + ask;
                if (s == sequence) {
                    return q;
                }
            }
            Thread.onSpinWait();
        }
    }
}
