package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The envelope reader says of any body what Jackson's tree of it says, and what it calls readable can be parsed whole. */
public final class EnvelopeFuzz {
    private static final ObjectMapper TREES = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int LONGEST = 255;

    private EnvelopeFuzz() {}

    public static List<String> seeds() {
        return List.of(
                "{\"id\":\"sub_e_1700000000\",\"event\":\"client.created\",\"enterprise_token\":\"e\",\"created_at\":1700000000,"
                        + "\"client\":{\"event\":\"decoy\",\"n\":[1,2.5e3,true,null,\"\\u00e9\\ud83d\"]}}",
                "\ufeff{\"event\":\"a\",\"event\":1,\"created_at\":99999999999999999999}",
                "[{\"event\":\"a\"}]",
                "{\"event\":\"a\\u0001b\"}",
                "{\"event\":\"a\",\"\\ud83db\":1,\"\\ud83d\\ude00\":2}",
                "\"event\"",
                "{\"event\":\"a\"} {}",
                "{\"event\":\"\u4f1a\u8bdd.created\",\"n\":NaN}");
    }

    /** Loads what the inputs need, before they are timed. */
    public static void fuzzerInitialize() {
        seeds().forEach(seed -> fuzzerTestOneInput(seed.getBytes(UTF_8)));
    }

    public static void fuzzerTestOneInput(byte[] body) {
        Envelope found = EnvelopeReader.read(body);
        Envelope expected = expected(body);
        boolean same = expected == null
                ? found.unreadable() == Unreadable.NOT_JSON || found.unreadable() == Unreadable.CONTROL_BYTES
                : found.equals(expected);
        if (!same) {
            throw new AssertionError("found " + found + ", expected "
                    + (expected == null ? "not-json or control-bytes" : expected.toString()));
        }
        if (found.unreadable() == null) {
            PushRecord record = TestPush.record(1, body, new RequestHead("", "", "", ""));
            Object event = TestPush.of(record, 1).json().getValue("event");
            if (!found.event().equals(event)) {
                throw new AssertionError("found event " + event + " in the whole, expected " + found.event());
            }
        }
    }

    /** By another way; null: no JSON text. */
    private static @Nullable Envelope expected(byte[] body) {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException e) {
            return Envelope.unreadable(Unreadable.NOT_UTF8);
        }
        JsonNode tree;
        try {
            String json = text.startsWith("\ufeff") ? text.substring(1) : text;
            tree = TREES.readTree(json);
            if (hasBrokenName(json)) {
                return null;
            }
        } catch (JsonProcessingException e) {
            return null;
        }
        if (tree.isMissingNode()) {
            return null;
        }
        if (!tree.isObject()) {
            return Envelope.unreadable(Unreadable.NOT_AN_OBJECT);
        }
        String event = text(tree.get("event"));
        if (event.isEmpty() || event.chars().anyMatch(Character::isISOControl)) {
            return Envelope.unreadable(Unreadable.NO_EVENT);
        }
        JsonNode createdAt = tree.get("created_at");
        Long seconds = createdAt != null && createdAt.isIntegralNumber() && createdAt.canConvertToLong()
                ? Long.valueOf(createdAt.longValue())
                : null;
        return new Envelope(text(tree.get("id")), event, text(tree.get("enterprise_token")), seconds, null);
    }

    /** With half a surrogate pair, which the parser of bytes does not take. */
    private static boolean hasBrokenName(String json) throws JsonProcessingException {
        try (JsonParser parser = TREES.createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && !UTF_8.newEncoder().canEncode(parser.currentName())) {
                    return true;
                }
            }
            return false;
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(@Nullable JsonNode node) {
        return node == null || !node.isTextual() || node.textValue().length() > LONGEST ? "" : node.textValue();
    }
}
