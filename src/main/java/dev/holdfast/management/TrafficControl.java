package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import dev.holdfast.metrics.LatencyHistogram;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Figures of what comes in and goes out, for the overview. Any thread that may block.
 *
 * @param endpoints as they are open now, by name
 * @param refusedElsewhere requests that were refused because there is no endpoint at their path, by cause
 * @param acknowledgements from the end of a push's body to its 200
 * @param disk the one that the journal lies on
 * @param lags how many positions each consumer of the configuration is behind, as far as that is known
 * @param quarantined requests in the quarantine
 */
public record TrafficControl(
        Supplier<List<EndpointState>> endpoints,
        Supplier<Map<String, Long>> refusedElsewhere,
        LatencyHistogram acknowledgements,
        Supplier<DiskState> disk,
        Supplier<Map<String, Long>> lags,
        LongSupplier quarantined) {
    /** Pushes answered 200 since the start. */
    static long accepted(List<EndpointState> endpoints) {
        return endpoints.stream().mapToLong(EndpointState::accepted).sum();
    }

    /** Requests that were refused since the start, by cause. */
    Map<String, Long> refused(List<EndpointState> endpoints) {
        Map<String, Long> refused = new TreeMap<>(refusedElsewhere.get());
        endpoints.forEach(
                endpoint -> endpoint.refused().forEach((cause, count) -> refused.merge(cause, count, Long::sum)));
        return refused;
    }
}
