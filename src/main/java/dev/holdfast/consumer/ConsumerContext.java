package dev.holdfast.consumer;

import java.time.Duration;

/**
 * What a consumer is told about itself before it starts.
 *
 * @param name the consumer's name in the configuration
 * @param timeout how long one attempt may take
 * @param visitorUpdatedEvent the event of the topic "Update visitor", which the interface doesn't name
 */
public record ConsumerContext(String name, Duration timeout, String visitorUpdatedEvent) {
    private static final String ADDRESS_PREFIX = "holdfast.consumer.";

    /** The bus address of one of the consumer's instances, which are counted from 0. */
    public String address(int instance) {
        return instance == 0 ? address() : address() + "#" + instance;
    }

    /** The bus address the consumer gets its deliveries at. */
    public String address() {
        return ADDRESS_PREFIX + name;
    }
}
