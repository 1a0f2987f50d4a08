package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import org.jspecify.annotations.Nullable;

/**
 * A push of a lane that is not done, or was not when this was made: what {@link Lanes} knows of it, which changes it. On the
 * delivery's event loop.
 */
final class LaneEntry {
    final BlockedPush.Key key;
    /** Of its body. */
    final int bytes;
    /** null: it is not in memory. */
    @Nullable
    PushRecord push;
    /** null: it has not failed. */
    @Nullable
    RetryState retry;

    LaneEntry(BlockedPush.Key key, @Nullable PushRecord push, @Nullable RetryState retry) {
        this.key = key;
        this.bytes = push == null ? 0 : push.body().length;
        this.push = push;
        this.retry = retry;
    }

    long seq() {
        return key.seq();
    }
}
