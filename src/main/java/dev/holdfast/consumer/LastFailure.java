package dev.holdfast.consumer;

/**
 * A consumer's last failure.
 *
 * @param at when, milliseconds since the epoch
 * @param seq position of the push
 * @param error fit to be shown
 */
public record LastFailure(long at, long seq, String error) {}
