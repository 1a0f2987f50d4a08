package dev.holdfast.consumer;

/**
 * What went wrong last with a consumer.
 *
 * @param at when, milliseconds since the epoch
 * @param seq with which push
 * @param error fit to be shown
 */
public record LastFailure(long at, long seq, String error) {}
