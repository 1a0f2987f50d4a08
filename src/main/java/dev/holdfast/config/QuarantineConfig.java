package dev.holdfast.config;

import java.time.Duration;

/**
 * How much is kept of requests whose signature did not match.
 *
 * @param maxSize bytes of the files they lie in; beyond it the oldest go
 * @param maxAge since a request came in
 * @param maxBody bytes; a request with a longer body is refused and not kept
 */
public record QuarantineConfig(long maxSize, Duration maxAge, long maxBody) {
    /** Bytes of refused requests that may wait for the disk at once, and one more request. */
    public static final long WAITING = 2L << 20;
}
