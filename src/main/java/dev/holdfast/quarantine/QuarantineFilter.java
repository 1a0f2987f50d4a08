package dev.holdfast.quarantine;

import dev.holdfast.push.Envelope;
import dev.holdfast.push.EventPattern;
import org.jspecify.annotations.Nullable;

/**
 * Which quarantined requests are meant: those that match everything that is given.
 *
 * @param endpoint null: any
 * @param cause null: any
 * @param from the lowest identifier
 * @param to the highest identifier
 * @param since when the earliest came in, milliseconds since the epoch
 * @param until they came in before
 * @param event an {@link EventPattern} for what their bodies say, which nobody verified; null: any
 * @param pushId the platform's identifier that their bodies say, which nobody verified; null: any
 */
public record QuarantineFilter(
        @Nullable String endpoint,
        QuarantinedRequest.@Nullable Cause cause,
        long from,
        long to,
        long since,
        long until,
        @Nullable String event,
        @Nullable String pushId) {
    /** All from an identifier to another, both included. */
    public static QuarantineFilter between(long from, long to) {
        return new QuarantineFilter(null, null, from, to, 0, Long.MAX_VALUE, null, null);
    }

    /** What the head of its record tells. */
    boolean mayMatch(long id, long receivedAt) {
        return id >= from && id <= to && receivedAt >= since && receivedAt < until;
    }

    boolean matches(QuarantinedRequest request) {
        return mayMatch(request.id(), request.receivedAt())
                && (endpoint == null || endpoint.equals(request.endpoint()))
                && (cause == null || cause == request.cause())
                && ((event == null && pushId == null) || matches(request.envelope()));
    }

    private boolean matches(Envelope envelope) {
        return (event == null || new EventPattern(event).matches(envelope.event()))
                && (pushId == null || pushId.equals(envelope.id()));
    }

    /** The same up to an identifier. */
    public QuarantineFilter to(long id) {
        return new QuarantineFilter(endpoint, cause, from, Math.min(to, id), since, until, event, pushId);
    }
}
