package dev.holdfast.delivery;

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
    private final Counter buried;
    private final Counter mismatched;
    private final List<Gauge> gauges = new ArrayList<>();
    private final String consumer;

    /**
     * @param lag how many positions of the journal the consumer has not passed yet
     * @param deadLetters how many the consumer has
     */
    DeliveryMeters(MeterRegistry registry, String consumer, Supplier<Number> lag, Supplier<Number> deadLetters) {
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
        this.buried = Counter.builder("holdfast.consumer.buried")
                .description("Pushes that the consumer failed for good")
                .tag("consumer", consumer)
                .register(registry);
        this.mismatched = Counter.builder("holdfast.consumer.receipts.mismatched")
                .description("Receipts of other pushes than were sent: not believed, the pushes were sent again")
                .tag("consumer", consumer)
                .register(registry);
        gauge("holdfast.consumer.dead.letters", "Dead letters that the consumer has", deadLetters);
        gauge("holdfast.consumer.lag", "Pushes in the journal that the consumer has not passed yet", lag);
    }

    /**
     * @param behind lanes of which a part is in the journal only
     * @param resting lanes whose first push waits for its next attempt
     * @param slowed 1 while the consumer is slowed as a whole, else 0
     */
    void watch(Supplier<Number> behind, Supplier<Number> resting, Supplier<Number> slowed) {
        gauge("holdfast.consumer.slowed", "1 while the consumer fails everything and is given few pushes", slowed);
        gauge("holdfast.consumer.lanes.behind", "Lanes with more pushes to come than are held in memory", behind);
        gauge(
                "holdfast.consumer.lanes.resting",
                "Lanes whose first push failed and waits for its next attempt",
                resting);
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

    void buried() {
        buried.increment();
    }

    void mismatched() {
        mismatched.increment();
    }

    void remove() {
        registry.remove(mismatched);
        registry.remove(buried);
        registry.remove(delivered);
        registry.remove(retried);
        gauges.forEach(registry::remove);
    }
}
