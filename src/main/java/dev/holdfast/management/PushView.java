package dev.holdfast.management;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A push as the API shows it wherever it shows one, without its body. */
final class PushView {
    private PushView() {}

    static JsonObject of(PushRecord push) {
        Envelope envelope = push.envelope();
        JsonObject shown = new JsonObject()
                .put("seq", push.seq())
                .put("event", envelope.event())
                .put("id", orNull(envelope.id()))
                .put("enterprise", orNull(envelope.enterpriseToken()));
        if (envelope.createdAt() != null) {
            shown.put("createdAt", envelope.createdAt().toString());
        }
        return shown.put("endpoint", push.endpoint())
                .put("bytes", push.body().length)
                .put("receivedAt", Instant.ofEpochMilli(push.receivedAt()).toString())
                .put("late", push.late());
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
