package dev.holdfast.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What is counted of one consumer's deliveries. */
final class DeliveryMeters {
    final Counter delivered;
    final Counter retried;
    final Counter deadLettered;
    final Counter mismatched;
    private final ConsumerMeters meters;

    DeliveryMeters(MeterRegistry registry, String consumer) {
        meters = new ConsumerMeters(registry, consumer);
        delivered = meters.counter("delivered", "Pushes that the consumer has handled");
        retried = meters.counter("retried", "Attempts that failed and will be made again");
        deadLettered = meters.counter("dead.lettered", "Pushes that the consumer failed for good");
        mismatched = meters.counter(
                "receipts.mismatched",
                "Receipts of other pushes than were sent: not believed, the pushes were sent again");
    }

    /**
     * @param blocked lanes with references in the store
     * @param backingOff those of them whose first push waits for its next attempt
     * @param breaker asked on any thread
     */
    void watch(Supplier<Number> blocked, Supplier<Number> backingOff, CircuitBreaker breaker) {
        for (CircuitBreaker.State state : CircuitBreaker.State.values()) {
            meters.gauge(
                    "breaker.state",
                    "1 for the state that the consumer's circuit breaker is in, 0 for all others; it is open"
                            + " while the consumer fails everything",
                    () -> breaker.state() == state ? 1 : 0,
                    "state",
                    state.label());
        }
        meters.gauge("lanes.blocked", "Lanes whose pushes wait as references in the store", blocked);
        meters.gauge("lanes.backing.off", "Lanes whose first push failed and waits for its next attempt", backingOff);
    }

    void remove() {
        meters.remove();
    }
}
