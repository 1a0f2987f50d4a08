package dev.holdfast.management;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Pushes as the API shows them. */
final class PushView {
    private PushView() {}

    /** One without its body. */
    static JsonObject of(PushRecord push) {
        Envelope envelope = push.envelope();
        JsonObject shown = new JsonObject()
                .put("seq", push.seq())
                .put("event", envelope.event())
                .put("id", unlessEmpty(envelope.id()))
                .put("enterprise", unlessEmpty(envelope.enterpriseToken()));
        if (envelope.createdAt() != null) {
            shown.put("createdAt", envelope.createdAt().toString());
        }
        return shown.put("endpoint", push.endpoint())
                .put("bytes", push.body().length)
                .put("receivedAt", time(push.receivedAt()))
                .put("late", push.late());
    }

    static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The exact bytes, in standard Base64. */
    static String body(PushRecord push) {
        return Base64.getEncoder().encodeToString(push.body());
    }

    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }
}
