package dev.holdfast.delivery;

/**
 * What a consumer did with a push.
 *
 * @param number as the push told it
 * @param replay which replay it came in, from 1; 0: none
 * @param begunNanos when, by the clock of {@link System#nanoTime}
 */
record Attempt(long seq, int number, int replay, boolean handled, long begunNanos) {
    /**
     * Whether this one tells that the one before has failed though it was handled: the machine was so busy that the gateway
     * had no answer within the timeout, and whoever gave it none in that time has to expect the push again.
     */
    boolean followsLate(Attempt before) {
        return before.handled
                && before.seq == seq
                && before.replay == replay
                && before.number == number - 1
                && begunNanos - before.begunNanos >= PlannedConsumer.TIMEOUT.toNanos();
    }

    Attempt late() {
        return new Attempt(seq, number, replay, false, begunNanos);
    }
}
