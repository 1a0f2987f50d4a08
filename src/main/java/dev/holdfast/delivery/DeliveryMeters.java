package dev.holdfast.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What is counted of one consumer's deliveries. */
final class DeliveryMeters {
    private final MeterRegistry registry;
    private final Counter delivered;
    private final Counter retried;
    private final Gauge lag;

    /** @param lag how many positions of the journal the consumer has not passed yet */
    DeliveryMeters(MeterRegistry registry, String consumer, Supplier<Number> lag) {
        this.registry = registry;
        this.delivered = Counter.builder("holdfast.consumer.delivered")
                .description("Pushes that the consumer has handled")
                .tag("consumer", consumer)
                .register(registry);
        this.retried = Counter.builder("holdfast.consumer.retried")
                .description("Attempts that failed and will be made again")
                .tag("consumer", consumer)
                .register(registry);
        this.lag = Gauge.builder("holdfast.consumer.lag", lag)
                .description("Pushes in the journal that the consumer has not passed yet")
                .tag("consumer", consumer)
                .register(registry);
    }

    void delivered(int count) {
        delivered.increment(count);
    }

    void retried() {
        retried.increment();
    }

    void remove() {
        registry.remove(delivered);
        registry.remove(retried);
        registry.remove(lag);
    }
}
