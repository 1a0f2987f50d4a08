package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import dev.holdfast.consumer.AccessTokens;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what happens to the token on the bus and in the metrics, without its value. On the verticle's context;
 * gauges are read on any thread.
 */
final class TokenWatch {
    private static final double MILLIS = 1000.0;

    private final EventBus bus;
    private final MeterRegistry registry;
    private final Timing timing;
    private volatile TokenState state = TokenState.STARTING;
    private volatile @Nullable Instant expiresAt;

    TokenWatch(EventBus bus, MeterRegistry registry, Timing timing) {
        this.bus = bus;
        this.registry = registry;
        this.timing = timing;
        for (TokenState one : TokenState.values()) {
            Gauge.builder("holdfast.token.state", () -> state == one ? 1 : 0)
                    .description("1 for the state that the access token is in, 0 for all others")
                    .tag("state", one.toString())
                    .register(registry);
        }
        Gauge.builder("holdfast.token.expires.in", this::secondsLeft)
                .description("Seconds until the access token expires; 0 when there is no good one")
                .baseUnit("seconds")
                .register(registry);
        for (TokenRequest.Kind kind : TokenRequest.Kind.values()) {
            requests(kind, null);
        }
    }

    /** There is a new token, kept and in use. */
    void changed(AccessToken token) {
        JsonObject news = new JsonObject()
                .put("scope", token.scope())
                .put("expiresAt", token.expiresAt().toString());
        bus.publish(AccessTokens.CHANGED, news);
    }

    /**
     * Publishes the state, which may be another one now.
     *
     * @param goodUntil null if there is no good token
     */
    void state(TokenState now, @Nullable Instant goodUntil) {
        state = now;
        expiresAt = goodUntil;
    }

    /**
     * A request has ended.
     *
     * @param failure null if it succeeded
     */
    void answered(TokenRequest.Kind kind, @Nullable FailureKind failure) {
        requests(kind, failure).increment();
    }

    private Counter requests(TokenRequest.Kind kind, @Nullable FailureKind failure) {
        return Counter.builder("holdfast.token.requests")
                .description("Requests for a token by what became of them")
                .tag("kind", kind.toString())
                .tag("outcome", failure == null ? "success" : failure.toString())
                .register(registry);
    }

    private double secondsLeft() {
        Instant end = expiresAt;
        return end == null
                ? 0
                : Math.max(0, Duration.between(timing.wall(), end).toMillis() / MILLIS);
    }
}
