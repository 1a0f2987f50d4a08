package dev.holdfast.store;

import dev.holdfast.push.EventPattern;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant.
 *
 * @param consumer null: of every consumer
 * @param event an {@link EventPattern}; null: every event
 * @param from the first position
 * @param to the last position
 * @param failedBefore when they had failed last, in milliseconds since the epoch; without that time itself
 */
public record DeadLetterFilter(
        @Nullable String consumer, @Nullable String event, long from, long to, long failedBefore) {
    /** The same of one consumer, up to a position. */
    public DeadLetterFilter of(String one, long upTo) {
        return new DeadLetterFilter(one, event, from, Math.min(to, upTo), failedBefore);
    }

    /** Whether it may match letters of a consumer. */
    public boolean mayHave(String name) {
        return consumer == null || consumer.equals(name);
    }

    public boolean matches(DeadLetter letter) {
        long seq = letter.push().seq();
        return mayHave(letter.consumer())
                && seq >= from
                && seq <= to
                && letter.last().at() < failedBefore
                && (event == null
                        || new EventPattern(event)
                                .matches(letter.push().envelope().event()));
    }
}
