package dev.holdfast.push;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the envelope out of a body, and whether the body is the strict UTF-8 JSON that a push is (interface, section 2.2).
 * A body read without complaint here can be parsed whole within the same limits, so {@link Push#json()} does not fail on
 * it. Where a key occurs twice the last one counts, as for {@link Push#json()}. Stateless; any thread.
 */
public final class EnvelopeReader {
    /** Longer texts are no identifiers. */
    static final int MAX_IDENTIFIER_LENGTH = 255;

    /** With Jackson's own limits: depth, digits of a number, length of a name. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private EnvelopeReader() {}

    /** Never fails: what can't be read is an envelope that says so. */
    public static Envelope read(byte[] body) {
        if (!Utf8.isStrict(body)) {
            return Envelope.unreadable(Unreadable.NOT_UTF8);
        }
        if (looksWide(body)) {
            return Envelope.unreadable(Unreadable.CONTROL_BYTES);
        }
        try (JsonParser json = JSON.createParser(body)) {
            requireShortTexts(body);
            return read(json);
        } catch (IOException | RuntimeException e) {
            // A parser that stumbles over a body must not keep the push from being answered and stored.
            return Envelope.unreadable(hasControlBytes(body) ? Unreadable.CONTROL_BYTES : Unreadable.NOT_JSON);
        }
    }

    /** A NUL among the first bytes would make the parser take the body for UTF-16 or UTF-32. */
    private static boolean looksWide(byte[] body) {
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /** The length of a text that is passed over is not looked at by the parser, but is when the whole is parsed. */
    private static void requireShortTexts(byte[] body) throws IOException {
        if (body.length <= JSON.streamReadConstraints().getMaxStringLength()) {
            return;
        }
        try (JsonParser json = JSON.createParser(body)) {
            while (json.nextToken() != null) {
                json.finishToken();
            }
        }
    }

    private static Envelope read(JsonParser json) throws IOException {
        JsonToken first = json.nextToken();
        if (first != JsonToken.START_OBJECT) {
            json.skipChildren();
            boolean whole = first != null && json.nextToken() == null;
            return Envelope.unreadable(whole ? Unreadable.NOT_AN_OBJECT : Unreadable.NOT_JSON);
        }
        Fields fields = new Fields();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            fields.take(name, json);
        }
        return json.nextToken() == null ? fields.envelope() : Envelope.unreadable(Unreadable.NOT_JSON);
    }

    private static boolean hasControlBytes(byte[] body) {
        for (byte b : body) {
            if (b >= 0 && b < 0x20 && b != '\t' && b != '\n' && b != '\r') {
                return true;
            }
        }
        return false;
    }

    /** The envelope's fields as they turn up. */
    private static final class Fields {
        private @Nullable String id;
        private @Nullable String event;
        private @Nullable String enterpriseToken;
        private @Nullable Long createdAt;

        void take(String name, JsonParser json) throws IOException {
            JsonToken value = json.nextToken();
            switch (name) {
                case "id" -> id = string(value, json);
                case "event" -> event = string(value, json);
                case "enterprise_token" -> enterpriseToken = string(value, json);
                case "created_at" -> createdAt = integer(value, json);
                default -> {}
            }
            json.skipChildren();
        }

        private static @Nullable String string(JsonToken value, JsonParser json) throws IOException {
            return value == JsonToken.VALUE_STRING ? json.getText() : null;
        }

        private static @Nullable Long integer(JsonToken value, JsonParser json) throws IOException {
            boolean fits =
                    value == JsonToken.VALUE_NUMBER_INT && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
            return fits ? (Long) json.getLongValue() : null;
        }

        Envelope envelope() {
            String topic = identifier(event);
            // It goes into log lines and bus addresses.
            if (topic.isEmpty() || hasControl(topic)) {
                return Envelope.unreadable(Unreadable.NO_EVENT);
            }
            return new Envelope(identifier(id), topic, identifier(enterpriseToken), createdAt, null);
        }

        private static boolean hasControl(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (Character.isISOControl(text.charAt(i))) {
                    return true;
                }
            }
            return false;
        }

        private static String identifier(@Nullable String text) {
            return text == null || text.length() > MAX_IDENTIFIER_LENGTH ? "" : text;
        }
    }
}
