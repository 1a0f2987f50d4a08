package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.json.JsonObject;
import java.util.Objects;

/** The business object of a client push (interface, section 2.4), of which no field is published. */
public final class Client {
    private final Push push;

    /** The one that {@code push} is about. */
    public Client(Push push) {
        this.push = push;
    }

    /** Every field that came; empty when the push has no business object. Parsed when first asked for. */
    public JsonObject json() {
        return Objects.requireNonNullElseGet(push.data(), JsonObject::new);
    }
}
