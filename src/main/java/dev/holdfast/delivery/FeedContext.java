package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.function.Predicate;

/**
 * What all feeds of one subscription share.
 *
 * @param keys which lane a push belongs to
 * @param events those that the consumer wants
 * @param onChange something may be sent, kept or read that could not be before
 */
record FeedContext(
        DeliveryContext delivery, LaneKeys keys, Predicate<String> events, CircuitBreaker breaker, Runnable onChange) {
    /** Whether the consumer is subscribed to a push. Any thread. */
    boolean wants(PushRecord push) {
        return events.test(push.envelope().event());
    }
}
