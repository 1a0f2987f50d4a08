package dev.holdfast.management;

import dev.holdfast.journal.DiskState;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What several parts of the API show in the same way. */
final class ApiJson {
    private ApiJson() {}

    static <T> JsonArray array(Collection<T> values, Function<? super T, ?> show) {
        return new JsonArray(values.stream().map(show).toList());
    }

    /** Without the fields that are null. */
    static JsonObject present(JsonObject shown) {
        shown.getMap().values().removeIf(Objects::isNull);
        return shown;
    }

    static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /** The same; null where it is 0. */
    static @Nullable String timeUnlessNever(long millis) {
        return millis == 0 ? null : time(millis);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A push without its body. */
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

    static JsonObject of(DiskState disk) {
        return new JsonObject()
                .put("free", disk.free())
                .put("size", disk.size())
                .put("reserve", disk.reserve())
                .put("setAside", disk.setAside())
                .put("step", disk.step());
    }
}
