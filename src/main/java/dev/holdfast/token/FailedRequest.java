package dev.holdfast.token;

import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** The last failure, for those who ask. */
record FailedRequest(TokenRequest.Kind during, TokenFailure failure, Instant at) {
    JsonObject json() {
        return failure.json().put("during", during.toString()).put("at", at.toString());
    }
}
