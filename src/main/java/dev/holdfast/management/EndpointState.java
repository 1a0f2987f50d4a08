package dev.holdfast.management;

import java.util.Map;

/**
 * An endpoint, and what came in there since the start.
 *
 * @param secrets how many are live
 * @param accepted pushes answered 200
 * @param duplicates those of them whose bytes were already kept
 * @param refused requests that were not accepted, by cause
 * @param lastAcceptedAt in milliseconds since the epoch; 0: none was
 */
public record EndpointState(
        String name,
        String path,
        String signatureHeader,
        int secrets,
        long accepted,
        long duplicates,
        Map<String, Long> refused,
        long lastAcceptedAt) {
    public EndpointState {
        refused = Map.copyOf(refused);
    }
}
