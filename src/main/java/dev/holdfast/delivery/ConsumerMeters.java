package dev.holdfast.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Meters of one consumer, which go together. */
final class ConsumerMeters {
    private static final String PREFIX = "holdfast.consumer.";

    private final MeterRegistry registry;
    private final String consumer;
    private final List<Meter> meters = new ArrayList<>();

    ConsumerMeters(MeterRegistry registry, String consumer) {
        this.registry = registry;
        this.consumer = consumer;
    }

    Counter counter(String name, String description) {
        Counter counter = Counter.builder(PREFIX + name)
                .description(description)
                .tag("consumer", consumer)
                .register(registry);
        meters.add(counter);
        return counter;
    }

    /** @param tags beside the consumer: keys and values by turns */
    void gauge(String name, String description, Supplier<Number> value, String... tags) {
        meters.add(Gauge.builder(PREFIX + name, value)
                .description(description)
                .tag("consumer", consumer)
                .tags(tags)
                .register(registry));
    }

    void remove() {
        meters.forEach(registry::remove);
    }
}
