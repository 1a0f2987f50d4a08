package dev.holdfast.simulator;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;

/** One request as it arrived. */
record ReceivedPush(
        HttpMethod method,
        HttpVersion version,
        String uri,
        MultiMap headers,
        PushBody body,
        long bodyNanos,
        int bodyPieces) {
    String signature() {
        return headers.get("Service-Signature");
    }
}
