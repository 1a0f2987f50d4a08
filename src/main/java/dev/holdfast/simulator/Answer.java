package dev.holdfast.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What became of a push that was sent.
 *
 * @param status the HTTP status; 0 when no answer came
 * @param silence why no answer came; null when one came
 * @param latencyNanos from the time at which the push was due, not from when it was sent, to the end of the answer
 */
public record Answer(int status, @Nullable Silence silence, long latencyNanos) {}
