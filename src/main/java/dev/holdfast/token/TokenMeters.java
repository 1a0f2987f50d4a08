package dev.holdfast.token;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is measured of the token. Suppliers are called on any thread. */
final class TokenMeters {
    private final MeterRegistry registry;

    TokenMeters(MeterRegistry registry, Supplier<TokenState> state, Supplier<Number> secondsLeft) {
        this.registry = registry;
        for (TokenState one : TokenState.values()) {
            Gauge.builder("holdfast.token.state", () -> state.get() == one ? 1 : 0)
                    .description("1 for the state that the access token is in, 0 for all others")
                    .tag("state", one.toString())
                    .register(registry);
        }
        Gauge.builder("holdfast.token.expires.in", secondsLeft)
                .description("Seconds until the access token expires; 0 when there is no good one")
                .baseUnit("seconds")
                .register(registry);
        for (TokenRequest.Kind kind : TokenRequest.Kind.values()) {
            requests(kind, null);
        }
    }

    /** @param failure null: it succeeded */
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
}
