package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import org.jspecify.annotations.Nullable;

/**
 * A push that waits in memory for its lane's next turns.
 *
 * @param retry null: it has not failed
 */
record LaneEntry(
        BlockedPush.Key key, PushRecord push, @Nullable RetryState retry) {
    long seq() {
        return key.seq();
    }

    /** The length of its body. */
    int bytes() {
        return push.body().length;
    }
}
