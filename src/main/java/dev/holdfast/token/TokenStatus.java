package dev.holdfast.token;

import dev.holdfast.consumer.AccessToken;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state and what belongs to it.
 *
 * @param token null if none is good
 * @param underWay whether a request is on its way
 * @param lastFailure null if there was none since the last success
 * @param problem with the store, fit to be shown; empty if there is none
 */
record TokenStatus(
        TokenState state,
        @Nullable AccessToken token,
        boolean underWay,
        @Nullable FailedRequest lastFailure,
        String problem) {
    /** The last failed request. */
    record FailedRequest(TokenRequest.Kind during, TokenFailure failure, Instant at) {
        JsonObject json() {
            return failure.json().put("during", during.toString()).put("at", at.toString());
        }
    }

    /** For the API: never a token's value. */
    JsonObject json(Instant now) {
        JsonObject json = new JsonObject().put("state", state.toString()).put("requestUnderWay", underWay);
        if (token != null) {
            json.put("scope", new Redaction(List.of(token.value())).apply(token.scope()))
                    .put("expiresAt", token.expiresAt().toString())
                    .put(
                            "expiresInSeconds",
                            Duration.between(now, token.expiresAt()).toSeconds());
        }
        if (lastFailure != null) {
            json.put("lastFailure", lastFailure.json());
        }
        return problem.isEmpty() ? json : json.put("store", problem);
    }
}
