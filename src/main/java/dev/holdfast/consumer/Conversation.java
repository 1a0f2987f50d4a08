package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The business object of a conversation push (interface, section 2.3): the four published fields typed, everything as JSON.
 * Nothing is parsed until it is asked for.
 */
public final class Conversation {
    private final Push push;

    /** The one that {@code push} is about. */
    public Conversation(Push push) {
        this.push = push;
    }

    /** The enterprise's identifier; null when absent or no integer of up to 64 bits. */
    public @Nullable Long enterpriseId() {
        Object value = json().getValue("enterprise_id");
        return value instanceof Integer || value instanceof Long ? (Long) ((Number) value).longValue() : null;
    }

    /** The integrator's own identifier of the client, of a type the interface leaves open; null when unset. */
    public @Nullable Object devClientId() {
        return json().getValue("dev_client_id");
    }

    /** May be empty; so is an absent one. */
    public String pageFromUrl() {
        return text("page_from_url");
    }

    /** May be empty; so is an absent one. */
    public String searchEngine() {
        return text("search_engine");
    }

    /** Every field that came; empty when the push has no business object. */
    public JsonObject json() {
        return Objects.requireNonNullElseGet(push.data(), JsonObject::new);
    }

    private String text(String field) {
        return json().getValue(field) instanceof String text ? text : "";
    }
}
