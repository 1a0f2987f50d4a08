package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.push.Push;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A push as one line of JSON with a newline at its end: what is known of it, and its body. A readable body is written
 * as it came, digit by digit, except that line ends between its tokens become blanks. An unreadable one, such as one
 * that really is encoded as its {@code Content-Encoding} says, is Base64 in {@code body_base64}.
 */
public final class PushLine {
    private static final JsonFactory JSON = new JsonFactory();

    public byte[] of(Push push) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(push.size() + 512);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            json.writeStartObject();
            metadata(push, json);
            if (push.unreadable() != null) {
                json.writeStringField("unreadable", push.unreadable().label());
                json.writeBinaryField("body_base64", push.body().getBytes());
            }
        }
        if (push.unreadable() == null) {
            line.writeBytes(",\"body\":".getBytes(US_ASCII));
            writeOnOneLine(push.body().getBytes(), line);
        }
        line.write('}');
        line.write('\n');
        return line.toByteArray();
    }

    private static void metadata(Push push, JsonGenerator json) throws IOException {
        json.writeNumberField("seq", push.seq());
        json.writeStringField("endpoint", push.endpoint());
        json.writeStringField("id", push.id());
        json.writeStringField("event", push.event());
        json.writeStringField("enterprise_token", push.enterpriseToken());
        json.writeStringField("created_at", text(push.createdAt()));
        json.writeStringField("received_at", text(push.receivedAt()));
        json.writeStringField("content_type", push.contentType());
        writeUnlessEmpty("content_encoding", push.contentEncoding(), json);
        writeUnlessEmpty("query", push.query(), json);
        json.writeStringField("signature", push.signature());
        json.writeNumberField("attempt", push.attempt());
        if (push.replay()) {
            json.writeBooleanField("replay", true);
        }
        if (push.late()) {
            json.writeBooleanField("late", true);
        }
    }

    private static void writeUnlessEmpty(String field, String text, JsonGenerator json) throws IOException {
        if (!text.isEmpty()) {
            json.writeStringField(field, text);
        }
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    /**
     * Writes an object without line ends. In strict JSON a line end is never inside a string. A byte order mark before
     * the object is left out.
     *
     * @param object the caller's own; it is changed
     */
    static void writeOnOneLine(byte[] object, ByteArrayOutputStream line) {
        int from = 0;
        while (object[from] != '{') {
            from++;
        }
        for (int i = from; i < object.length; i++) {
            if (object[i] == '\n' || object[i] == '\r') {
                object[i] = ' ';
            }
        }
        line.write(object, from, object.length - from);
    }
}
