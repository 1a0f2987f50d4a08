package dev.holdfast.simulator;

import org.jspecify.annotations.Nullable;

/**
 * A request that the token endpoint has answered, or left without an answer. No secret is in it.
 *
 * @param grantType as asked for; empty when the request had none
 * @param code of the answer's envelope
 * @param fault what went wrong on purpose; null: nothing
 */
public record TokenEvent(
        String grantType, int code, @Nullable TokenFault fault) {}
