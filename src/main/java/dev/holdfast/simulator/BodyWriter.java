package dev.holdfast.simulator;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the envelope and its business data. Everything that the published interface does not show is in an object
 * {@code invented}.
 */
final class BodyWriter {
    /** The event of {@link Fault#UNKNOWN_EVENT}. */
    static final String UNKNOWN_EVENT = "invented.happened";

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();
    /** What follows the padding: the end of its string and three objects. */
    private static final int TAIL = "\"}}}".length();

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String[] PAGES = {"", "https://shop.example/warenkorb?straße=1", "https://shop.example/商品"};
    private static final String[] ENGINES = {"", "example-search"};
    private static final String[] NAMES = {"Zoë Ångström", "王小明", "Оля 🌻", "plain \"quoted\" \\ name", "👩‍👩‍👧"};

    private final Script script;
    private final String run;
    private final RandomGenerator random;
    private final byte[] letters = new byte[1 << 16];

    BodyWriter(Script script, RandomGenerator random) {
        this.script = script;
        this.run = HexFormat.of().toHexDigits(random.nextLong());
        this.random = random;
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        }
    }

    /** The body's bytes; {@code subject} numbers the conversation or client that the push is about. */
    byte[] write(String id, String event, long createdAt, long sequence, long subject, @Nullable Fault fault) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(out, JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("event", event);
            json.writeStringField("enterprise_token", script.enterpriseToken());
            json.writeNumberField("created_at", createdAt);
            writeBusinessData(json, event, sequence, subject);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] body = filledUp(out.toByteArray(), fault == Fault.OVERSIZE ? script.oversize() : script.bodySize());
        return fault == Fault.BROKEN_JSON ? Arrays.copyOf(body, body.length - 1) : body;
    }

    private void writeBusinessData(JsonGenerator json, String event, long sequence, long subject) throws IOException {
        if (event.startsWith("conversation.")) {
            json.writeObjectFieldStart("conversation");
            json.writeNumberField("enterprise_id", 4711);
            writeDevClientId(json, sequence, subject);
            json.writeStringField("page_from_url", PAGES[(int) (sequence % PAGES.length)]);
            json.writeStringField("search_engine", ENGINES[(int) (sequence % ENGINES.length)]);
        } else {
            json.writeObjectFieldStart(event.equals(UNKNOWN_EVENT) ? "unknown" : script.clientField());
        }
        writeInvented(json, sequence, subject);
        json.writeEndObject();
    }

    /** Null when unset; the interface does not specify the type of a set value, so it is now one, now another. */
    private static void writeDevClientId(JsonGenerator json, long sequence, long subject) throws IOException {
        json.writeFieldName("dev_client_id");
        switch ((int) (sequence % 3)) {
            case 0 -> json.writeNull();
            case 1 -> json.writeString("dev-" + subject);
            default -> json.writeNumber(subject);
        }
    }

    private void writeInvented(JsonGenerator json, long sequence, long subject) throws IOException {
        json.writeObjectFieldStart("invented");
        json.writeStringField("run", run);
        json.writeNumberField("sequence", sequence);
        json.writeNumberField("subject", subject);
        json.writeStringField("name", NAMES[(int) (sequence % NAMES.length)]);
        json.writeStringField("padding", "");
        json.writeEndObject();
    }

    private byte[] filledUp(byte[] body, int size) {
        if (size <= body.length) {
            return body;
        }
        byte[] larger = Arrays.copyOf(body, size);
        int from = body.length - TAIL;
        // Random, so that compression on the way improves the figures little.
        int source = random.nextInt(letters.length);
        for (int at = from, length; at < size - TAIL; at += length) {
            length = Math.min(size - TAIL - at, letters.length - source);
            System.arraycopy(letters, source, larger, at, length);
            source = 0;
        }
        System.arraycopy(body, from, larger, size - TAIL, TAIL);
        return larger;
    }
}
