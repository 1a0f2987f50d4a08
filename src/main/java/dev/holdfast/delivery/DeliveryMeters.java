package dev.holdfast.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is counted of one consumer's deliveries. */
final class DeliveryMeters {
    private final MeterRegistry registry;
    private final String consumer;
    private final List<Meter> meters = new ArrayList<>();
    private final Counter delivered;
    private final Counter retried;
    private final Counter deadLettered;
    private final Counter mismatched;

    DeliveryMeters(MeterRegistry registry, String consumer) {
        this.registry = registry;
        this.consumer = consumer;
        delivered = counter("delivered", "Pushes that the consumer has handled");
        retried = counter("retried", "Attempts that failed and will be made again");
        deadLettered = counter("dead.lettered", "Pushes that the consumer failed for good");
        mismatched = counter(
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
            meters.add(Gauge.builder("holdfast.consumer.breaker.state", () -> breaker.state() == state ? 1 : 0)
                    .description(
                            "1 for the state that the consumer's circuit breaker is in, 0 for all others; it is open"
                                    + " while the consumer fails everything")
                    .tag("consumer", consumer)
                    .tag("state", state.label())
                    .register(registry));
        }
        gauge("lanes.blocked", "Lanes whose pushes wait as references in the store", blocked);
        gauge("lanes.backing.off", "Lanes whose first push failed and waits for its next attempt", backingOff);
    }

    private Counter counter(String name, String description) {
        Counter counter = Counter.builder("holdfast.consumer." + name)
                .description(description)
                .tag("consumer", consumer)
                .register(registry);
        meters.add(counter);
        return counter;
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        meters.add(Gauge.builder("holdfast.consumer." + name, value)
                .description(description)
                .tag("consumer", consumer)
                .register(registry));
    }

    /** How many the consumer has handled. */
    double delivered() {
        return delivered.count();
    }

    void delivered(int count) {
        delivered.increment(count);
    }

    void retried() {
        retried.increment();
    }

    void deadLettered() {
        deadLettered.increment();
    }

    void mismatched() {
        mismatched.increment();
    }

    void remove() {
        meters.forEach(registry::remove);
    }
}
