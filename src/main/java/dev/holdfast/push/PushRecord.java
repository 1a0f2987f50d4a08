package dev.holdfast.push;

import dev.holdfast.logging.Printable;
import java.util.Objects;

/**
 * One authentic push as the journal keeps it: plain Java, immutable by agreement (nobody writes into {@link #body()}).
 * Safe to hand between threads.
 *
 * @param seq position in the journal, from 1; {@link #UNSTORED} before
 * @param endpoint name of the endpoint that received it
 * @param envelope what could be read of the body
 * @param receivedAt when the body was complete, milliseconds since the epoch
 * @param acceptedAt when its signature was found right, milliseconds since the epoch: this time increases from push to push in
 *     the journal. The same as {@code receivedAt} unless it is late
 * @param late whether it was refused when it was received, and came out of the quarantine later
 * @param head what else of its request is kept
 * @param body the exact bytes; not a copy, never to be written into
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PushRecord(
        long seq,
        String endpoint,
        Envelope envelope,
        long receivedAt,
        long acceptedAt,
        boolean late,
        RequestHead head,
        byte[] body) {
    /** The {@link #seq()} of a push that the journal has not stored yet. */
    public static final long UNSTORED = 0;

    public PushRecord {
        Objects.requireNonNull(endpoint);
        Objects.requireNonNull(envelope);
        Objects.requireNonNull(head);
        Objects.requireNonNull(body);
    }

    /** One that is accepted as it is received. */
    public PushRecord(long seq, String endpoint, Envelope envelope, long receivedAt, RequestHead head, byte[] body) {
        this(seq, endpoint, envelope, receivedAt, receivedAt, false, head, body);
    }

    /** The same push at a position in the journal. */
    public PushRecord at(long seq) {
        return new PushRecord(seq, endpoint, envelope, receivedAt, acceptedAt, late, head, body);
    }

    /**
     * The same push, refused when it was received and found authentic later.
     *
     * @param acceptedAt when that was, milliseconds since the epoch
     */
    public PushRecord lateAt(long acceptedAt) {
        return new PushRecord(seq, endpoint, envelope, receivedAt, acceptedAt, true, head, body);
    }

    /** Without the body and its fields, which are the enterprise's data. */
    @Override
    public String toString() {
        return "push " + seq + " " + Printable.line(envelope.event()) + " (" + body.length + " bytes)";
    }
}
