package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import dev.holdfast.consumer.AccessTokens;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells the bus and the metrics what happens to the token, without its value. */
final class TokenWatch implements TokenListener {
    private static final double MILLIS = 1000.0;

    private final EventBus bus;
    private final Timing timing;
    private final TokenMeters meters;
    private volatile TokenState state = TokenState.STARTING;
    private volatile @Nullable Instant expiresAt;

    TokenWatch(EventBus bus, MeterRegistry registry, Timing timing) {
        this.bus = bus;
        this.timing = timing;
        this.meters = new TokenMeters(registry, () -> state, this::secondsLeft);
    }

    @Override
    public void changed(AccessToken token) {
        JsonObject news = new JsonObject()
                .put("scope", token.scope())
                .put("expiresAt", token.expiresAt().toString());
        bus.publish(AccessTokens.CHANGED, news);
    }

    @Override
    public void state(TokenState now, @Nullable Instant goodUntil) {
        state = now;
        expiresAt = goodUntil;
    }

    @Override
    public void answered(TokenRequest.Kind kind, @Nullable FailureKind failure) {
        meters.answered(kind, failure);
    }

    /** On any thread. */
    private double secondsLeft() {
        Instant end = expiresAt;
        return end == null
                ? 0
                : Math.max(0, Duration.between(timing.wall(), end).toMillis() / MILLIS);
    }
}
