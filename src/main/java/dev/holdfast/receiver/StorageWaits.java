package dev.holdfast.receiver;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the disk on one event loop, and for how long: a disk that hangs says nothing, and its writer hangs with it.
 * All wait equally long, so the first to begin is the first whose time is over; {@link #sweep()} looks at no more than that,
 * instead of a timer for each.
 */
final class StorageWaits {
    /** Something that waits, until it is {@link #end ended} or has waited for too long. */
    static final class Wait {
        private final Runnable giveUp;
        private final long deadline;
        private boolean over;

        private Wait(Runnable giveUp, long deadline) {
            this.giveUp = giveUp;
            this.deadline = deadline;
        }
    }

    private final Queue<Wait> waits = new ArrayDeque<>();
    private final long nanos;
    private final LongSupplier nanoTime;

    StorageWaits(long nanos, LongSupplier nanoTime) {
        this.nanos = nanos;
        this.nanoTime = nanoTime;
    }

    /**
     * Runs {@code giveUp} in the first sweep after the time is over.
     *
     * @param now when it began, a moment ago; no wait may have begun since
     */
    Wait begin(Runnable giveUp, long now) {
        Wait wait = new Wait(giveUp, now + nanos);
        waits.add(wait);
        return wait;
    }

    void end(Wait wait) {
        wait.over = true;
        forgetEnded();
    }

    void sweep() {
        long now = nanoTime.getAsLong();
        for (Wait first = forgetEnded(); first != null && now - first.deadline > 0; first = forgetEnded()) {
            first.over = true;
            first.giveUp.run();
        }
    }

    /** How many are kept in mind, ended ones behind one that has not among them. */
    int size() {
        return waits.size();
    }

    /** The first that has not ended; null: none. */
    private @Nullable Wait forgetEnded() {
        Wait first = waits.peek();
        while (first != null && first.over) {
            waits.remove();
            first = waits.peek();
        }
        return first;
    }
}
