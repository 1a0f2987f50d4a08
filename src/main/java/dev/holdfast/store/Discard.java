package dev.holdfast.store;

/**
 * A dead letter that somebody gave up.
 *
 * @param event of its push
 * @param at when, milliseconds since the epoch
 * @param reason why, in their words
 */
public record Discard(String consumer, long seq, String event, long at, String reason) {}
