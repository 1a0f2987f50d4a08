package dev.holdfast.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link PersistedToken} as JSON, before it is sealed. Field names never change; new ones may come. */
final class PersistedTokenForm {
    private static final JsonMapper JSON = new JsonMapper();

    private PersistedTokenForm() {}

    static byte[] write(PersistedToken kept) {
        ObjectNode json = JSON.createObjectNode();
        json.put("generation", kept.generation()).put("service", kept.service());
        TokenPair pair = kept.pair();
        if (pair != null) {
            json.putObject("pair")
                    .put("accessToken", pair.accessToken())
                    .put("refreshToken", pair.refreshToken())
                    .put("scope", pair.scope())
                    .put("obtainedAt", pair.obtainedAt().toEpochMilli())
                    .put("lifetime", pair.lifetime().toMillis());
        }
        kept.usedCodes().forEach(json.putArray("usedCodes")::add);
        PersistedToken.Refused refused = kept.refused();
        if (refused != null) {
            json.putObject("refused").put("code", refused.code()).put("times", refused.times());
        }
        try {
            return JSON.writeValueAsBytes(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws UnreadableTokenException when it is something else; it quotes nothing */
    static PersistedToken read(byte[] bytes) throws UnreadableTokenException {
        try {
            JsonNode json = JSON.readTree(bytes);
            List<String> usedCodes = new ArrayList<>();
            json.required("usedCodes").forEach(code -> usedCodes.add(code.textValue()));
            return new PersistedToken(
                    json.required("generation").longValue(),
                    json.required("service").textValue(),
                    pair(json.get("pair")),
                    usedCodes,
                    refused(json.get("refused")));
        } catch (IOException | RuntimeException e) {
            throw new UnreadableTokenException("found something else than a kept token in it");
        }
    }

    private static PersistedToken.@Nullable Refused refused(@Nullable JsonNode json) {
        return json == null
                ? null
                : new PersistedToken.Refused(
                        json.required("code").textValue(),
                        json.required("times").intValue());
    }

    private static @Nullable TokenPair pair(@Nullable JsonNode json) {
        if (json == null) {
            return null;
        }
        return new TokenPair(
                json.required("accessToken").textValue(),
                json.required("refreshToken").textValue(),
                json.required("scope").textValue(),
                Instant.ofEpochMilli(json.required("obtainedAt").longValue()),
                Duration.ofMillis(json.required("lifetime").longValue()));
    }
}
