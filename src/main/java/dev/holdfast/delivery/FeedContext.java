package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.function.Predicate;

/**
 * What all feeds of one subscription share.
 *
 * @param keys which lane a push belongs to
 * @param events those that the consumer wants
 * @param onReady lanes may have become ready
 */
record FeedContext(
        DeliveryContext delivery, LaneKeys keys, Predicate<String> events, CircuitBreaker breaker, Runnable onReady) {
    /** Whether the consumer is subscribed to a push. Any thread. */
    boolean wants(PushRecord push) {
        return events.test(push.envelope().event());
    }
}
