package dev.holdfast.store;

/**
 * A dead letter that was given up: somebody discarded it, or a bound of theirs did.
 *
 * @param event of its push; empty when the letter could not be read
 * @param at when, milliseconds since the epoch
 * @param reason why, in their words; of a bound {@code given up: max-count} or {@code given up: max-age}
 */
public record Discard(String consumer, long seq, String event, long at, String reason) {
    /** Before {@code count} or {@code age}. */
    static final String BY_BOUND = "given up: max-";
}
