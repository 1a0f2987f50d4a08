package dev.holdfast.delivery;

/**
 * What a consumer did with a push.
 *
 * @param number as the push told it
 * @param replay which replay it came in, from 1; 0: none
 * @param done whether the consumer has handled it, rather than failed
 * @param heard whether the gateway has said so. On a machine that stands still an answer may come too late, and the push comes again
 * @param called when the consumer was called with it, by {@link System#nanoTime}
 * @param ended when it was about to answer
 */
record Attempt(long seq, int number, int replay, boolean done, boolean heard, long called, long ended) {
    boolean handled() {
        return done && heard;
    }

    boolean isUnderWay(long at) {
        return called <= at && at < ended;
    }

    Attempt asHeard() {
        return new Attempt(seq, number, replay, done, true, called, ended);
    }
}
