package dev.holdfast.push;

import org.jspecify.annotations.Nullable;

/**
 * Chooses pushes.
 *
 * @param from the first position
 * @param to the last position
 * @param id the platform's identifier, which several pushes may have; null for any
 * @param event an {@link EventPattern}; null for every event
 * @param enterprise the platform's token for the enterprise; null for any
 * @param endpoint where it came in; null for any
 * @param since received then or later, milliseconds since the epoch
 * @param until received before
 */
public record PushFilter(
        long from,
        long to,
        @Nullable String id,
        @Nullable String event,
        @Nullable String enterprise,
        @Nullable String endpoint,
        long since,
        long until) {
    /** All of them. */
    public static final PushFilter ALL = new PushFilter(0, Long.MAX_VALUE, null, null, 0, Long.MAX_VALUE);

    /** A filter for any enterprise and endpoint. */
    public PushFilter(long from, long to, @Nullable String id, @Nullable String event, long since, long until) {
        this(from, to, id, event, null, null, since, until);
    }

    /** The same filter, up to a position. */
    public PushFilter upTo(long seq) {
        return new PushFilter(from, Math.min(to, seq), id, event, enterprise, endpoint, since, until);
    }

    public boolean matches(PushRecord push) {
        return push.seq() >= from
                && push.seq() <= to
                && push.receivedAt() >= since
                && push.receivedAt() < until
                && (endpoint == null || endpoint.equals(push.endpoint()))
                && (enterprise == null || enterprise.equals(push.envelope().enterpriseToken()))
                && (id == null || id.equals(push.envelope().id()))
                && (event == null
                        || new EventPattern(event).matches(push.envelope().event()));
    }
}
