package dev.holdfast.store;

import dev.holdfast.push.PushRecord;

/**
 * A push that a consumer failed for good. It holds a copy of the push: retention doesn't touch it.
 *
 * @param attempts how many were made, over restarts, those of retries and replays included; a crash costs the count of those since
 *     the last checkpoint
 * @param first what went wrong the first time
 * @param last what went wrong the last time
 */
public record DeadLetter(String consumer, PushRecord push, int attempts, Failure first, Failure last) {
    /**
     * A failed attempt.
     *
     * @param at when, milliseconds since the epoch
     * @param error fit to be shown
     */
    public record Failure(long at, String error) {}
}
