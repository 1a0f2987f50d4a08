package dev.holdfast.metrics;

import java.util.Map;
import java.util.TreeMap;

/**
 * What came in since the start, at an endpoint or at all of them.
 *
 * @param accepted pushes answered 200
 * @param duplicates those of them whose bytes were already kept
 * @param refused requests that were not accepted, by cause; causes that there were none of are left out
 * @param lastAcceptedAt when the last push was accepted, in milliseconds since the epoch; 0: none was
 */
public record EndpointTraffic(long accepted, long duplicates, Map<String, Long> refused, long lastAcceptedAt) {
    public EndpointTraffic {
        refused = Map.copyOf(refused);
    }

    /** Both together. */
    public EndpointTraffic plus(EndpointTraffic other) {
        Map<String, Long> causes = new TreeMap<>(refused);
        other.refused.forEach((cause, count) -> causes.merge(cause, count, Long::sum));
        return new EndpointTraffic(
                accepted + other.accepted,
                duplicates + other.duplicates,
                causes,
                Math.max(lastAcceptedAt, other.lastAcceptedAt));
    }
}
