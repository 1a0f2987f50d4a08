package dev.holdfast.consumer;

import java.time.Duration;

/**
 * What a consumer is told about itself before it starts.
 *
 * @param name the consumer's name in the configuration
 * @param timeout how long one attempt may take
 * @param visitorUpdatedEvent the event of the topic "Update visitor", which the interface doesn't name
 * @param instance which of the consumer's instances it is, from 0
 */
public record ConsumerContext(String name, Duration timeout, String visitorUpdatedEvent, int instance) {
    private static final String ADDRESS_PREFIX = "holdfast.consumer.";

    /** Of a consumer's first or only instance. */
    public ConsumerContext(String name, Duration timeout, String visitorUpdatedEvent) {
        this(name, timeout, visitorUpdatedEvent, 0);
    }

    /** The same for another instance. */
    public ConsumerContext instance(int other) {
        return new ConsumerContext(name, timeout, visitorUpdatedEvent, other);
    }

    /** The bus address the consumer's instance gets its deliveries at. */
    public String address() {
        return instance == 0 ? ADDRESS_PREFIX + name : ADDRESS_PREFIX + name + "#" + instance;
    }
}
