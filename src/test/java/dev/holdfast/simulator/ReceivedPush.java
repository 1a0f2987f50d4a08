package dev.holdfast.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One request as it arrived. */
record ReceivedPush(
        HttpMethod method,
        HttpVersion version,
        String uri,
        MultiMap headers,
        PushBody body,
        long bodyNanos,
        int bodyPieces) {
    private static final ObjectMapper JSON = new ObjectMapper();

    JsonNode json() {
        try {
            return JSON.readTree(body.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String signature() {
        return headers.get("Service-Signature");
    }
}
