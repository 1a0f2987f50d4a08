package dev.holdfast.store;

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
 */
public record QuarantineFilter(
        @Nullable String endpoint,
        QuarantinedRequest.@Nullable Cause cause,
        long from,
        long to,
        long since,
        long until) {
    /** Every one. */
    public static final QuarantineFilter ALL = new QuarantineFilter(null, null, 0, Long.MAX_VALUE, 0, Long.MAX_VALUE);

    /** What the head of its record tells. */
    boolean mayMatch(long id, long receivedAt) {
        return id >= from && id <= to && receivedAt >= since && receivedAt < until;
    }

    boolean matches(QuarantinedRequest request) {
        return mayMatch(request.id(), request.receivedAt())
                && (endpoint == null || endpoint.equals(request.endpoint()))
                && (cause == null || cause == request.cause());
    }

    /** The same up to an identifier. */
    public QuarantineFilter to(long id) {
        return new QuarantineFilter(endpoint, cause, from, Math.min(to, id), since, until);
    }

    /** The same from an identifier on. */
    public QuarantineFilter from(long id) {
        return new QuarantineFilter(endpoint, cause, Math.max(from, id), to, since, until);
    }
}
