package dev.holdfast.config;

import java.time.Duration;

/**
 * How much is kept of requests whose signature did not match.
 *
 * @param maxSize bytes of all its files; beyond it the oldest are removed
 * @param maxAge since a request came in; older ones are removed
 * @param maxBody bytes; a request with a longer body is refused and not kept
 */
public record QuarantineConfig(long maxSize, Duration maxAge, long maxBody) {
    /** Bytes of refused requests that may wait for the disk at once; one more request may exceed it. */
    public static final long WAITING = 2L << 20;
}
