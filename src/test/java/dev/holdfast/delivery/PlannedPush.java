package dev.holdfast.delivery;

import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import java.nio.charset.StandardCharsets;

/**
 * A push of a plan, and what becomes of it at each consumer.
 *
 * @param group what lanes can be told by, from 1; 0: nothing
 * @param failures how many attempts fail, where the fate is one that fails
 */
record PlannedPush(int enterprise, String event, int group, Fate fate, int failures) {
    /** What becomes of it. */
    enum Fate {
        /** Handled at once. */
        GOOD,
        /** Handled, in its own time; at once when that took so long that it failed: it is never a dead letter. */
        SLOW,
        FAILS,
        THROWS,
        HANGS,
        /** Can't be handled until it was recovered. */
        PERMANENT,
        /** Fails until the play lets it go, and never becomes a dead letter. */
        STUCK;

        /** Whether its first attempts fail, and later ones don't. */
        boolean passes() {
            return this == FAILS || this == THROWS || this == HANGS;
        }
    }

    byte[] body(long seq) {
        String field = group == 0 ? "" : ",\"group\":" + group;
        return ("{\"event\":\"" + event + "\",\"enterprise_token\":\"e" + enterprise + "\",\"n\":" + seq + field + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** As the receiver would hand it to the journal. */
    PushRecord record(long seq) {
        byte[] body = body(seq);
        return new PushRecord(
                PushRecord.UNSTORED,
                "default",
                EnvelopeReader.read(body),
                seq,
                new RequestHead("", "application/json", "", ""),
                body);
    }

    @Override
    public String toString() {
        String end = fate.passes() ? "*" + failures : "";
        return "e" + enterprise + "/" + event + (group == 0 ? "" : "/" + group) + ":" + fate + end;
    }
}
