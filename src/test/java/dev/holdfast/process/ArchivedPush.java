package dev.holdfast.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;

/**
 * A line of a file consumer's.
 *
 * @param life the gateway's that wrote it
 */
record ArchivedPush(String life, String lane, long seq, String event, BodyDigest digest) {
    private static final String BODY = ",\"body\":";

    /** @throws RuntimeException when it is no whole line of JSON */
    static ArchivedPush read(String life, byte[] line) {
        JsonObject json = new JsonObject(Buffer.buffer(line));
        int from = new String(line, ISO_8859_1).indexOf(BODY) + BODY.length();
        byte[] body = Arrays.copyOfRange(line, from, line.length - 1);
        return new ArchivedPush(
                life, LaneKey.of(body), json.getLong("seq"), json.getString("event"), BodyDigest.of(body));
    }

    DiaryEntry entry() {
        return new DiaryEntry(life, lane, seq, digest);
    }
}
