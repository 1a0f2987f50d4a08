package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.json.JsonScanner;
import dev.holdfast.json.JsonSyntaxException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads the envelope out of a body, and whether the body is the strict UTF-8 JSON that a push is (interface, section 2.2).
 * A body read without complaint here can be parsed whole within the same limits, so {@link Push#json()} does not fail on
 * it. Where a key occurs twice the last one counts, as for {@link Push#json()}. Stateless; any thread.
 */
public final class EnvelopeReader {
    /** Most characters of an identifier. */
    static final int MAX_IDENTIFIER_LENGTH = 255;

    private static final byte[] ID = "id".getBytes(UTF_8);
    private static final byte[] EVENT = "event".getBytes(UTF_8);
    private static final byte[] ENTERPRISE_TOKEN = "enterprise_token".getBytes(UTF_8);
    private static final byte[] CREATED_AT = "created_at".getBytes(UTF_8);

    private EnvelopeReader() {}

    /** Never fails: an unreadable body gives an envelope that says so. */
    public static Envelope read(byte[] body) {
        try {
            return read(new JsonScanner(body));
        } catch (JsonSyntaxException | RuntimeException e) {
            // A failure here must not keep the push from being stored and answered.
            return Envelope.unreadable(cause(body));
        }
    }

    private static Unreadable cause(byte[] body) {
        if (!isUtf8(body)) {
            return Unreadable.NOT_UTF8;
        }
        return hasControlBytes(body) ? Unreadable.CONTROL_BYTES : Unreadable.NOT_JSON;
    }

    private static Envelope read(JsonScanner json) throws JsonSyntaxException {
        if (json.peek() != '{') {
            json.skip();
            json.requireEnd();
            return Envelope.unreadable(Unreadable.NOT_AN_OBJECT);
        }
        Fields fields = new Fields();
        for (boolean more = json.enterObject(); more; more = json.next()) {
            fields.take(json);
        }
        json.requireEnd();
        return fields.envelope();
    }

    /** Whether the whole body is strict UTF-8. What is decoded is thrown away piece by piece: a body may be large. */
    private static boolean isUtf8(byte[] body) {
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer rest = ByteBuffer.wrap(body);
        CharBuffer discarded = CharBuffer.allocate(4096);
        CoderResult result;
        do {
            result = decoder.decode(rest, discarded.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
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

        void take(JsonScanner json) throws JsonSyntaxException {
            if (json.isNamed(ID)) {
                id = json.string();
            } else if (json.isNamed(EVENT)) {
                event = json.string();
            } else if (json.isNamed(ENTERPRISE_TOKEN)) {
                enterpriseToken = json.string();
            } else if (json.isNamed(CREATED_AT)) {
                createdAt = json.integer();
            } else {
                json.skip();
            }
        }

        Envelope envelope() {
            String topic = identifier(event);
            // The event is used in log lines and bus addresses.
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
