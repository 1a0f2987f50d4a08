package dev.holdfast.simulator;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Where pushes go, and over which connections.
 *
 * @param targets at least one Webhook URL, {@code http} or {@code https}; pushes go to them in turn
 * @param signatureHeader name of the header with the signature
 * @param connections kept-alive connections to each target at most
 * @param timeout how long to wait for an answer, and before that for a free connection
 * @param slowBody how long the body takes of a push with {@link Fault#SLOW_BODY}
 * @param insecure whether any certificate is trusted
 */
public record Wire(
        List<URI> targets,
        String signatureHeader,
        int connections,
        Duration timeout,
        Duration slowBody,
        boolean insecure) {
    /** The header of the published interface. */
    public static final String SIGNATURE_HEADER = "Service-Signature";

    private static final int LAST_PORT = 65_535;

    public Wire {
        targets = List.copyOf(targets);
        targets.forEach(Wire::requireUrl);
        if (connections < 1) {
            throw new IllegalArgumentException("connections: " + connections + " (expected: at least 1)");
        }
        requireMillisecond("timeout", timeout);
        requireMillisecond("slow body", slowBody);
    }

    /** 16 connections to one target, a timeout of 30 seconds. */
    public static Wire to(URI target) {
        return new Wire(List.of(target), SIGNATURE_HEADER, 16, Duration.ofSeconds(30), Duration.ofSeconds(5), false);
    }

    private static void requireUrl(URI target) {
        boolean web = "http".equalsIgnoreCase(target.getScheme()) || "https".equalsIgnoreCase(target.getScheme());
        if (!web || target.getHost() == null || target.getPort() > LAST_PORT) {
            throw new IllegalArgumentException("target: " + target + " (expected: http://HOST[:PORT]/PATH or https)");
        }
    }

    private static void requireMillisecond(String what, Duration duration) {
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException(what + ": " + duration + " (expected: at least a millisecond)");
        }
    }
}
