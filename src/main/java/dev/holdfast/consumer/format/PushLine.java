package dev.holdfast.consumer.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.push.Push;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A push as one line of JSON with a newline at its end: what is known of it, and its body. A readable body is written
 * as it came, digit by digit, except that line ends between its tokens become blanks. An unreadable one, such as one
 * that really is encoded as its {@code Content-Encoding} says, is Base64 in {@code body_base64}.
 */
public final class PushLine {
    private static final JsonFactory JSON = new JsonFactory();

    /** What is written of a push beside its body. */
    interface Fields {
        void write(Push push, JsonGenerator json) throws IOException;
    }

    private PushLine() {}

    public static byte[] of(Push push) {
        ByteArrayOutputStream line = object(push, PushLine::metadata, "body");
        line.write('\n');
        return line.toByteArray();
    }

    /**
     * A push as an object on one line.
     *
     * @param body name of the field with the body; {@code _base64} is appended if the body is unreadable: inserted as
     *     JSON it would break the object, whatever its content type says
     */
    static ByteArrayOutputStream object(Push push, Fields fields, String body) {
        ByteArrayOutputStream object = new ByteArrayOutputStream(push.size() + 512);
        try (JsonGenerator json = JSON.createGenerator(object)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            json.writeStartObject();
            fields.write(push, json);
            if (push.unreadable() != null) {
                json.writeBinaryField(body + "_base64", push.body().getBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory can't be written", e);
        }
        if (push.unreadable() == null) {
            object.writeBytes((",\"" + body + "\":").getBytes(US_ASCII));
            writeOnOneLine(push.body().getBytes(), object);
        }
        object.write('}');
        return object;
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
        if (push.unreadable() != null) {
            json.writeStringField("unreadable", push.unreadable().label());
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
    private static void writeOnOneLine(byte[] object, ByteArrayOutputStream line) {
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
