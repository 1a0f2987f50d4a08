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

/**
 * What survives a restart, and its form as JSON, before it is encrypted: names of fields never change, new ones may come.
 * It writes itself without the tokens.
 *
 * @param generation counts what was stored: one more each time
 * @param service fingerprint of the service and the application that the pair belongs to
 * @param pair null: none yet
 * @param usedCodes fingerprints of the authorization codes that are used up, the latest last
 * @param refused the configured code that was refused last; null: none was
 */
record PersistedToken(
        long generation,
        String service,
        @Nullable TokenPair pair,
        List<String> usedCodes,
        @Nullable Refused refused) {
    /** How often the service refused the code of this fingerprint. */
    record Refused(String code, int times) {}

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_CODES = 100;

    PersistedToken {
        usedCodes = List.copyOf(usedCodes);
    }

    static PersistedToken nothing(String service) {
        return new PersistedToken(0, service, null, List.of(), null);
    }

    /** The pair if it belongs to this service and application; while others are configured it is kept for them. */
    @Nullable
    TokenPair pairFor(String service) {
        return service.equals(this.service) ? pair : null;
    }

    /** The same content as the next generation. */
    PersistedToken again() {
        return new PersistedToken(generation + 1, service, pair, usedCodes, refused);
    }

    /**
     * The next generation, with a pair from this service.
     *
     * @param usedCode fingerprint of a code that is used up by now; null: none
     */
    PersistedToken next(String service, TokenPair pair, @Nullable String usedCode) {
        List<String> codes = new ArrayList<>(usedCodes);
        if (usedCode != null) {
            codes.remove(usedCode);
            codes.add(usedCode);
        }
        List<String> latest = codes.subList(Math.max(0, codes.size() - MOST_CODES), codes.size());
        return new PersistedToken(generation + 1, service, pair, latest, refused);
    }

    /** How often the code of this fingerprint was refused. */
    int refusals(String code) {
        return refused != null && refused.code().equals(code) ? refused.times() : 0;
    }

    /** The next generation, after a code was refused once more. */
    PersistedToken refusing(String code) {
        return new PersistedToken(generation + 1, service, pair, usedCodes, new Refused(code, refusals(code) + 1));
    }

    /** As JSON, tokens included. */
    byte[] toBytes() {
        ObjectNode json = JSON.createObjectNode();
        json.put("generation", generation).put("service", service);
        if (pair != null) {
            json.putObject("pair")
                    .put("accessToken", pair.accessToken())
                    .put("refreshToken", pair.refreshToken())
                    .put("scope", pair.scope())
                    .put("obtainedAt", pair.obtainedAt().toEpochMilli())
                    .put("lifetime", pair.lifetime().toMillis());
        }
        usedCodes.forEach(json.putArray("usedCodes")::add);
        if (refused != null) {
            json.putObject("refused").put("code", refused.code()).put("times", refused.times());
        }
        try {
            return JSON.writeValueAsBytes(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads back what {@link #toBytes} wrote.
     *
     * @throws UnreadableTokenException when it is something else; it quotes nothing
     */
    static PersistedToken of(byte[] bytes) throws UnreadableTokenException {
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

    private static @Nullable Refused refused(@Nullable JsonNode json) {
        return json == null
                ? null
                : new Refused(
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

    @Override
    public String toString() {
        return "PersistedToken[generation=" + generation + ", pair=" + pair + ", " + usedCodes.size() + " used codes]";
    }
}
