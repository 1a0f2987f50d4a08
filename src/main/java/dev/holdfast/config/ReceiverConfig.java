package dev.holdfast.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP edge.
 *
 * @param port 0 picks a free one
 * @param maxBody bytes
 * @param maxInFlight bytes that requests may hold: half of it for pushes that are verified and not yet durable, beyond
 *     which sockets are paused, and half of it for bodies that are still coming in
 * @param headerTimeout how long a new connection may take until its first request's head is complete
 * @param bodyTimeout how long from the end of the head to the end of the body
 * @param idleTimeout how long a connection without a request is kept
 * @param drainDelay how long pushes are still accepted after the stop was asked for
 * @param drainTimeout how long requests under way may take to end after that
 * @param tls null for plain HTTP
 * @param http2 whether HTTP/2 is offered (through ALPN with TLS, by prior knowledge without)
 */
public record ReceiverConfig(
        String host,
        int port,
        List<EndpointConfig> endpoints,
        long maxBody,
        long maxInFlight,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration drainDelay,
        Duration drainTimeout,
        @Nullable TlsConfig tls,
        boolean http2) {

    public ReceiverConfig {
        endpoints = List.copyOf(endpoints);
    }
}
