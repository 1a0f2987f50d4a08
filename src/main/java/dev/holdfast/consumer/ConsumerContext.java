package dev.holdfast.consumer;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.EndpointConfig;
import java.time.Duration;
import java.util.Map;

/**
 * What a consumer is told about itself before it starts.
 *
 * @param name the consumer's name in the configuration
 * @param timeout how long one attempt may take
 * @param concurrency how many pushes may be under way at once in all of its instances: so many connections are enough
 * @param visitorUpdatedEvent the event of the topic "Update visitor", which the interface doesn't name
 * @param signatureHeaders name of the header with the signature, by endpoint, at the moment: endpoints are added and
 *     changed while the consumer runs
 * @param deployment distinguishes this consumer from the one of the same name that it replaces, which may still be
 *     ending
 */
public record ConsumerContext(
        String name,
        Duration timeout,
        int concurrency,
        String visitorUpdatedEvent,
        Map<String, String> signatureHeaders,
        long deployment) {
    private static final String ADDRESS_PREFIX = "holdfast.consumer.";

    /** A context of the only consumer of its name, with the published signature header for every endpoint. */
    public ConsumerContext(String name, Duration timeout, String visitorUpdatedEvent) {
        this(name, timeout, ConsumerConfig.USUAL_CONCURRENCY, visitorUpdatedEvent, Map.of(), 1);
    }

    /** The bus address of one of the consumer's instances, which are counted from 0. */
    public String address(int instance) {
        String address = ADDRESS_PREFIX + name + "." + deployment;
        return instance == 0 ? address : address + "#" + instance;
    }

    /**
     * The name of the signature header at an endpoint. For an endpoint that is no longer configured it is the last one;
     * after a restart, the published one.
     */
    public String signatureHeader(String endpoint) {
        return signatureHeaders.getOrDefault(endpoint, EndpointConfig.PUBLISHED_SIGNATURE_HEADER);
    }
}
