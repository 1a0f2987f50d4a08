package dev.holdfast.delivery;

/**
 * What a consumer did with a push.
 *
 * @param number as the push told it
 * @param replay which replay it came in, from 1; 0: none
 * @param late whether it was handled when the gateway no longer waited for it
 * @param begunNanos when, by the clock of {@link System#nanoTime}
 */
record Attempt(long seq, int number, int replay, boolean handled, boolean late, long begunNanos) {
    /**
     * Whether this one tells that the gateway had no answer of the one before in time, though it was handled: the machine was too
     * busy, and whoever gives none in that time has to expect the push again; as often tried as before where it came with others, for
     * nobody knows which of them held up the batch. Only where the gateway has not told that it was handled.
     */
    boolean followsLate(Attempt before) {
        return before.handled
                && before.seq == seq
                && before.replay == replay
                && (before.number == number || (before.number == number - 1 && isLongAfter(before)));
    }

    private boolean isLongAfter(Attempt before) {
        return begunNanos - before.begunNanos >= PlannedConsumer.TIMEOUT.toNanos();
    }

    Attempt asLate() {
        return new Attempt(seq, number, replay, false, true, begunNanos);
    }
}
