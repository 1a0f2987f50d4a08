package dev.holdfast.push;

import io.vertx.core.json.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the business object in an envelope. For conversation topics the interface names the field {@code conversation},
 * and nothing else is their object: a client beside it is not. For client topics it names none: it is the configured
 * field, else {@code client}, else the one object that remains.
 *
 * @param clientField the configured field; null if none is
 */
public record BusinessData(@Nullable String clientField) {
    private static final Set<String> ENVELOPE = Set.of("id", "event", "enterprise_token", "created_at");

    /** The business object of {@code envelope}; null when there is none, or more than one to choose from. */
    @Nullable
    JsonObject in(JsonObject envelope, String family) {
        if (family.equals("conversation")) {
            return envelope.getValue("conversation") instanceof JsonObject conversation ? conversation : null;
        }
        if (clientField != null && envelope.getValue(clientField) instanceof JsonObject configured) {
            return configured;
        }
        if (envelope.getValue("client") instanceof JsonObject client) {
            return client;
        }
        return onlyObject(envelope);
    }

    private static @Nullable JsonObject onlyObject(JsonObject envelope) {
        JsonObject found = null;
        for (String field : envelope.fieldNames()) {
            if (!ENVELOPE.contains(field) && envelope.getValue(field) instanceof JsonObject object) {
                if (found != null) {
                    return null;
                }
                found = object;
            }
        }
        return found;
    }
}
