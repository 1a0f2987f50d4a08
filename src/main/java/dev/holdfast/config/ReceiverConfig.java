package dev.holdfast.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP edge.
 *
 * @param port 0 picks a free one
 * @param maxBody bytes
 * @param maxInFlight bytes that requests may hold: half of it pushes that are verified and not yet durable, past which
 *     sockets are paused, and half of it bodies that are still coming in
 * @param headerTimeout for the first request's head to be complete on a new connection
 * @param bodyTimeout from the end of the head to the end of the body
 * @param idleTimeout for a connection without a request
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
