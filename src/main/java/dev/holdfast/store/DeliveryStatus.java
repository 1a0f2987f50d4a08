package dev.holdfast.store;

import org.jspecify.annotations.Nullable;

/**
 * How it stands with one push at one consumer.
 *
 * @param lane which it belongs to there, fit to be shown; null: to none
 * @param failed its failed attempts; null: there was none
 * @param nextAttemptAt milliseconds since the epoch; 0: not known, or as soon as its turn comes
 * @param behind the push that it waits behind; 0: none
 * @param reason why it was discarded, waits or is not wanted; null: its state says it
 */
public record DeliveryStatus(
        String consumer,
        State state,
        @Nullable String lane,
        @Nullable FailedAttempts failed,
        long nextAttemptAt,
        long behind,
        @Nullable String reason) {
    /** In the order in which a push may come through them. */
    public enum State {
        /** The consumer does not want its event. */
        NOT_SUBSCRIBED,
        /** It is older than where the consumer began. */
        BEFORE_START,
        /** Its turn has not come. */
        WAITING,
        /** It waits behind the failed one of its lane. */
        BEHIND,
        /** Given to the consumer, which has not answered. */
        UNDER_WAY,
        /** It failed and waits for its next attempt. */
        BLOCKED,
        /** It is a dead letter. */
        DEAD,
        /** It was a dead letter that somebody, or a bound of theirs, gave up. */
        DISCARDED,
        /**
         * The consumer is past it, and nothing is left of it there: it was acknowledged, was not subscribed to at its time, or was
         * given up longer ago than is remembered.
         */
        HANDLED
    }

    /**
     * What has gone wrong.
     *
     * @param first the first time
     * @param last the last time
     */
    public record FailedAttempts(int count, DeadLetter.Failure first, DeadLetter.Failure last) {
        /** Null: there was none. */
        public static @Nullable FailedAttempts of(BlockedPush.@Nullable RetryState retry) {
            return retry == null ? null : new FailedAttempts(retry.attempts(), retry.first(), retry.last());
        }
    }

    public DeliveryStatus(String consumer, State state) {
        this(consumer, state, null, null, 0, 0, null);
    }

    /** Another state in the same lane, with nothing of this one's beside. */
    public DeliveryStatus now(State next) {
        return new DeliveryStatus(consumer, next, lane, null, 0, 0, null);
    }

    /** The same in a lane. */
    public DeliveryStatus in(String lane) {
        return new DeliveryStatus(consumer, state, lane, failed, nextAttemptAt, behind, reason);
    }

    /** The same after attempts that failed. */
    public DeliveryStatus after(BlockedPush.@Nullable RetryState retry) {
        return new DeliveryStatus(consumer, state, lane, FailedAttempts.of(retry), nextAttemptAt, behind, reason);
    }

    public DeliveryStatus after(DeadLetter letter) {
        FailedAttempts attempts = new FailedAttempts(letter.attempts(), letter.first(), letter.last());
        return new DeliveryStatus(consumer, state, lane, attempts, nextAttemptAt, behind, reason);
    }

    public DeliveryStatus nextAt(long millis) {
        return new DeliveryStatus(consumer, state, lane, failed, millis, behind, reason);
    }

    public DeliveryStatus behind(long seq) {
        return new DeliveryStatus(consumer, state, lane, failed, nextAttemptAt, seq, reason);
    }

    public DeliveryStatus because(@Nullable String why) {
        return new DeliveryStatus(consumer, state, lane, failed, nextAttemptAt, behind, why);
    }
}
