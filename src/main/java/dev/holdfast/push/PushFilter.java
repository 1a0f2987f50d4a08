package dev.holdfast.push;

import org.jspecify.annotations.Nullable;

/**
 * Which pushes are meant.
 *
 * @param from the first position
 * @param to the last position
 * @param id the platform's identifier, which several pushes may have; null: any
 * @param event an {@link EventPattern}; null: every event
 * @param since received then or later, milliseconds since the epoch
 * @param until received before
 */
public record PushFilter(
        long from, long to, @Nullable String id, @Nullable String event, long since, long until) {
    /** All of them. */
    public static final PushFilter ALL = new PushFilter(0, Long.MAX_VALUE, null, null, 0, Long.MAX_VALUE);

    /** The same up to a position. */
    public PushFilter upTo(long seq) {
        return new PushFilter(from, Math.min(to, seq), id, event, since, until);
    }

    public boolean matches(PushRecord push) {
        return push.seq() >= from
                && push.seq() <= to
                && push.receivedAt() >= since
                && push.receivedAt() < until
                && (id == null || id.equals(push.envelope().id()))
                && (event == null
                        || new EventPattern(event).matches(push.envelope().event()));
    }
}
