package dev.holdfast.receiver;

import org.jspecify.annotations.Nullable;

/** One body's wait for what is {@link InFlight in flight} to permit it, no longer than a push may wait for the disk. */
final class InFlightTurn {
    private final LoopState loop;
    private InFlight.@Nullable Place place;
    private StorageWaits.@Nullable Wait wait;

    InFlightTurn(LoopState loop) {
        this.loop = loop;
    }

    /** Runs one of the two, on the event loop, unless it {@link #end ends} before. */
    void await(Runnable turn, Runnable giveUp) {
        place = loop.receiver().inFlight().await(loop.context(), turn);
        wait = loop.storageWaits().begin(giveUp);
    }

    boolean isAwaited() {
        return wait != null;
    }

    /** It has come, or is given up. More than once does no harm. */
    void end() {
        if (wait != null) {
            loop.storageWaits().end(wait);
            wait = null;
        }
        if (place != null) {
            loop.receiver().inFlight().leave(place);
            place = null;
        }
    }
}
