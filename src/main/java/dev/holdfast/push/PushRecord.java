package dev.holdfast.push;

import dev.holdfast.logging.Printable;
import java.util.Objects;

/**
 * One authentic push as the journal keeps it: plain Java, immutable by agreement (nobody writes into {@link #body()}).
 * Safe to hand between threads.
 */
public final class PushRecord {
    /** The {@link #seq()} of a push that the journal has not stored yet. */
    public static final long UNSTORED = 0;

    private final long seq;
    private final String endpoint;
    private final Envelope envelope;
    private final long receivedAt;
    private final long acceptedAt;
    private final boolean late;
    private final RequestHead head;
    private final byte[] body;

    /**
     * @param seq position in the journal, from 1; {@link #UNSTORED} before
     * @param endpoint name of the endpoint that received it
     * @param envelope what could be read of the body
     * @param receivedAt when the body was complete, milliseconds since the epoch
     * @param head what else of its request is kept
     * @param body the exact bytes; not copied
     */
    public PushRecord(long seq, String endpoint, Envelope envelope, long receivedAt, RequestHead head, byte[] body) {
        this(seq, endpoint, envelope, receivedAt, receivedAt, false, head, body);
    }

    private PushRecord(
            long seq,
            String endpoint,
            Envelope envelope,
            long receivedAt,
            long acceptedAt,
            boolean late,
            RequestHead head,
            byte[] body) {
        this.seq = seq;
        this.endpoint = Objects.requireNonNull(endpoint);
        this.envelope = Objects.requireNonNull(envelope);
        this.receivedAt = receivedAt;
        this.acceptedAt = acceptedAt;
        this.late = late;
        this.head = Objects.requireNonNull(head);
        this.body = Objects.requireNonNull(body);
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

    public long seq() {
        return seq;
    }

    public String endpoint() {
        return endpoint;
    }

    public Envelope envelope() {
        return envelope;
    }

    /** Milliseconds since the epoch. */
    public long receivedAt() {
        return receivedAt;
    }

    /**
     * When its signature was found right, milliseconds since the epoch: this time increases from push to push in the
     * journal. The same as {@link #receivedAt} unless it is {@link #late}.
     */
    public long acceptedAt() {
        return acceptedAt;
    }

    /** Whether it was refused when it was received, and came out of the quarantine later. */
    public boolean late() {
        return late;
    }

    /** What else of its request is kept. */
    public RequestHead head() {
        return head;
    }

    /** The exact bytes; not a copy, never to be written into. */
    public byte[] body() {
        return body;
    }

    /** Without the body and its fields, which are the enterprise's data. */
    @Override
    public String toString() {
        return "push " + seq + " " + Printable.line(envelope.event()) + " (" + body.length + " bytes)";
    }
}
