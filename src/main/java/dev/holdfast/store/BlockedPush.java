package dev.holdfast.store;

import org.jspecify.annotations.Nullable;

/**
 * A reference to a push in the journal that its consumer still has to handle, and that does not hold back the position.
 *
 * @param key where it waits
 * @param retry what has happened to it; null when it merely waits behind another one of its lane
 */
public record BlockedPush(Key key, @Nullable RetryState retry) {
    /** Where a blocked push waits. Pushes of one lane are in the order of {@code seq}. */
    public record Key(String lane, long seq) {}

    /**
     * What has happened to a push that failed.
     *
     * @param attempts how many were made, from 1
     * @param counted those of them that count towards {@code max-attempts}
     * @param first what went wrong the first time
     * @param last what went wrong the last time
     * @param openMillis for how long of the time since the first failure, by the clock, it could not be tried: because the consumer
     *     failed everything or wasn't there, or the clock was set; doesn't count towards {@code max-age}
     */
    public record RetryState(
            int attempts, int counted, DeadLetter.Failure first, DeadLetter.Failure last, long openMillis) {}
}
