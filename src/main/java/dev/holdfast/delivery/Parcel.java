package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A push on its way to one consumer.
 *
 * @param replay whether it is delivered again because somebody asked for it
 * @param done told, once, of a push that was asked for: true when it was handled, false when it is a dead letter; null for
 *     one on its ordinary way
 */
record Parcel(PushRecord push, boolean replay, @Nullable Consumer<Boolean> done) {
    static Parcel ordinary(PushRecord push) {
        return new Parcel(push, false, null);
    }

    boolean isErrand() {
        return done != null;
    }

    /** What became of it, to whoever asked for it. */
    void tell(boolean handled) {
        if (done != null) {
            done.accept(handled);
        }
    }
}
