package dev.holdfast.delivery;

import dev.holdfast.store.DeadLetters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is counted of one consumer's deliveries. */
final class DeliveryMeters {
    private final MeterRegistry registry;
    private final Counter delivered;
    private final Counter retried;
    private final Counter deadLettered;
    private final Counter mismatched;
    private final List<Gauge> gauges = new ArrayList<>();
    private final String consumer;

    /**
     * @param lag how many positions of the journal the consumer has not passed yet
     * @param letters the consumer's among others
     */
    DeliveryMeters(MeterRegistry registry, String consumer, Supplier<Number> lag, DeadLetters letters) {
        this.registry = registry;
        this.consumer = consumer;
        this.delivered = Counter.builder("holdfast.consumer.delivered")
                .description("Pushes that the consumer has handled")
                .tag("consumer", consumer)
                .register(registry);
        this.retried = Counter.builder("holdfast.consumer.retried")
                .description("Attempts that failed and will be made again")
                .tag("consumer", consumer)
                .register(registry);
        this.deadLettered = Counter.builder("holdfast.consumer.dead.lettered")
                .description("Pushes that the consumer failed for good")
                .tag("consumer", consumer)
                .register(registry);
        this.mismatched = Counter.builder("holdfast.consumer.receipts.mismatched")
                .description("Receipts of other pushes than were sent: not believed, the pushes were sent again")
                .tag("consumer", consumer)
                .register(registry);
        gauge("holdfast.consumer.dead.letters", "Dead letters that the consumer has", () -> letters.count(consumer));
        gauge(
                "holdfast.consumer.dead.letter.bytes",
                "Bytes of the consumer's dead letters, their pushes included",
                () -> letters.bytes(consumer));
        gauge("holdfast.consumer.lag", "Pushes in the journal that the consumer has not passed yet", lag);
    }

    /**
     * @param blocked lanes with references in the store
     * @param backingOff those of them whose first push waits for its next attempt
     * @param slowed 1 while the consumer is slowed as a whole, else 0
     */
    void watch(Supplier<Number> blocked, Supplier<Number> backingOff, Supplier<Number> slowed) {
        gauge("holdfast.consumer.slowed", "1 while the consumer fails everything and is given few pushes", slowed);
        gauge("holdfast.consumer.lanes.blocked", "Lanes whose pushes wait as references in the store", blocked);
        gauge(
                "holdfast.consumer.lanes.backing.off",
                "Lanes whose first push failed and waits for its next attempt",
                backingOff);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        gauges.add(Gauge.builder(name, value)
                .description(description)
                .tag("consumer", consumer)
                .register(registry));
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
        registry.remove(mismatched);
        registry.remove(deadLettered);
        registry.remove(delivered);
        registry.remove(retried);
        gauges.forEach(registry::remove);
    }
}
