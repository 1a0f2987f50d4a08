package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One webhook request as a consumer gets it. Each consumer, and each attempt, gets a copy of its own: what one does
 * with {@link #json()} or {@link #body()}, no other sees. To be used by one thread at a time.
 */
public final class Push {
    private static final JsonFactory WITHOUT_TABLE = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final PushRecord record;
    private final BusinessData businessData;
    private final int attempt;
    private final boolean replay;
    private final Map<String, String> traceHeaders;
    private @Nullable JsonObject json;

    /**
     * A push for a test of a consumer: its first attempt, at the endpoint {@code default}, received at the epoch, with no
     * signature.
     *
     * @param seq position in the journal, from 1
     * @param body as the platform would send it; any other text makes a push that is {@link #unreadable}
     */
    public static Push of(long seq, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        RequestHead head = new RequestHead("", "application/json", "", "");
        PushRecord record = new PushRecord(seq, "default", EnvelopeReader.read(bytes), 0, head, bytes);
        return new Push(record, new BusinessData(null));
    }

    /** The push as it is published, or attempted for the first time. */
    public Push(PushRecord record, BusinessData businessData) {
        this(record, businessData, 1, false, Map.of());
    }

    /**
     * @param attempt number of the consumer's attempt, from 1
     * @param replay whether it is delivered again by a replay; a retried dead letter is not
     * @param traceHeaders that name the attempt to others; empty if it isn't traced
     */
    public Push(
            PushRecord record,
            BusinessData businessData,
            int attempt,
            boolean replay,
            Map<String, String> traceHeaders) {
        this.record = record;
        this.businessData = businessData;
        this.attempt = attempt;
        this.replay = replay;
        this.traceHeaders = traceHeaders;
    }

    /**
     * Position in this gateway's journal, from 1. No other push ever has it: use it as the key for handling a push
     * exactly once in effect.
     */
    public long seq() {
        return record.seq();
    }

    /** Number of this consumer's attempt, from 1. It goes on over restarts; a retry or a replay begins at 1. */
    public int attempt() {
        return attempt;
    }

    /**
     * Whether a replay delivers the push again, so that the consumer may have had it before. A retried dead letter is no
     * replay.
     */
    public boolean replay() {
        return replay;
    }

    /**
     * Whether it was refused at {@link #receivedAt} because its signature did not match then, and was accepted later, out of
     * the quarantine: newer pushes may have been delivered before it.
     */
    public boolean late() {
        return record.late();
    }

    /**
     * The headers {@code traceparent} and, if there is one, {@code tracestate} of W3C Trace Context: send them with the
     * push to continue its trace. Empty if it isn't traced.
     */
    public Map<String, String> traceHeaders() {
        return traceHeaders;
    }

    /** Name of the endpoint that received it. */
    public String endpoint() {
        return record.endpoint();
    }

    /**
     * The platform's identifier, {@code sub_<enterprise_token>_<unix_time>}; empty when the envelope has none. Two
     * different pushes of one enterprise in the same second carry the same one: use {@link #seq()} to tell pushes apart.
     */
    public String id() {
        return record.envelope().id();
    }

    /** The topic, e.g. {@code conversation.created}; {@link Envelope#UNREADABLE} when the body could not be read. */
    public String event() {
        return record.envelope().event();
    }

    /** The part of {@link #event()} before the first dot. */
    public String family() {
        return record.envelope().family();
    }

    /** The platform's token for the enterprise; empty when the envelope has none. */
    public String enterpriseToken() {
        return record.envelope().enterpriseToken();
    }

    /** When the platform made the push, in whole seconds; null if the envelope doesn't say, or makes no sense. */
    public @Nullable Instant createdAt() {
        Long seconds = record.envelope().createdAt();
        if (seconds == null) {
            return null;
        }
        try {
            return Instant.ofEpochSecond(seconds);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** When the gateway had the whole body, in milliseconds. */
    public Instant receivedAt() {
        return Instant.ofEpochMilli(record.receivedAt());
    }

    /** The exact bytes as they came, in a fresh buffer. */
    public Buffer body() {
        return Buffer.buffer(record.body());
    }

    /** Length of the body in bytes, without copying it. */
    public int size() {
        return record.body().length;
    }

    /** The signature header's value as received. */
    public String signature() {
        return record.head().signature();
    }

    /** The {@code Content-Type} header's value as received, empty when absent. */
    public String contentType() {
        return record.head().contentType();
    }

    /**
     * The {@code Content-Encoding} header's value as received, empty when absent. {@link #body()} is encoded like that: it
     * is never decoded, since the signature is over the bytes as they came.
     */
    public String contentEncoding() {
        return record.head().contentEncoding();
    }

    /** The query string of the request as received, without the {@code ?}; empty when absent. */
    public String query() {
        return record.head().query();
    }

    /** Why the envelope could not be read; null for an ordinary push. */
    public @Nullable Unreadable unreadable() {
        return record.envelope().unreadable();
    }

    /**
     * The whole body, parsed on first use.
     *
     * @throws PermanentFailure when the push is {@link #unreadable()}
     */
    public JsonObject json() {
        if (json == null) {
            if (unreadable() != null) {
                throw new PermanentFailure("push " + seq() + " is unreadable, so it has no JSON: found "
                        + unreadable().label() + ", expected a JSON object with an event");
            }
            json = parsed(record.body());
        }
        return json;
    }

    /**
     * Jackson keeps a table of names, and fails where too many of them have the same hash. Whoever chooses names can
     * choose such; they are read without that table, which is slower.
     */
    private static JsonObject parsed(byte[] body) {
        try {
            return new JsonObject(Buffer.buffer(body));
        } catch (DecodeException e) {
            try (JsonParser parser = WITHOUT_TABLE.createParser(body)) {
                return (JsonObject) JacksonCodec.fromParser(parser, Object.class);
            } catch (IOException broken) {
                throw e;
            }
        }
    }

    /**
     * The business object: the conversation or the client that the push is about. Null when there is none.
     *
     * @throws PermanentFailure when the push is {@link #unreadable()}
     */
    public @Nullable JsonObject data() {
        return businessData.in(json(), family());
    }

    /** The same push for another reader, with nothing parsed yet. */
    public Push copy() {
        return new Push(record, businessData, attempt, replay, traceHeaders);
    }

    /** Without the body and its fields. */
    @Override
    public String toString() {
        return record.toString();
    }
}
