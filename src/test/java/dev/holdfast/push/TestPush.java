package dev.holdfast.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

/** Pushes as consumers get them. */
public final class TestPush {
    public static final String BODY = "{\"event\":\"client.created\"}";

    private TestPush() {}

    public static PushRecord record(long seq, byte[] body, RequestHead head) {
        return new PushRecord(seq, "default", EnvelopeReader.read(body), 1_500, head, body);
    }

    public static Push of(long seq, String body) {
        return of(record(seq, body.getBytes(UTF_8), new RequestHead("abc", "text/plain", "", "")), 1);
    }

    public static Push of(PushRecord record, int attempt) {
        return new Push(record, new BusinessData(null), attempt, false, Map.of());
    }
}
