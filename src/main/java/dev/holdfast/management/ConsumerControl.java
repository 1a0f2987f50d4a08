package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.store.LaneState;
import io.vertx.core.Future;
import java.util.List;

/** What the API asks of the consumers, and does with them. */
public interface ConsumerControl {
    /** How it stands with each that is configured, or that something is kept of, by name. */
    Future<List<ConsumerState>> states();

    /**
     * Blocked lanes, those that failed longest ago first.
     *
     * @param more whether there are others
     */
    record Lanes(List<LaneState> lanes, boolean more) {}

    /** The blocked lanes of one. */
    Future<Lanes> lanes(String consumer);

    /** Gives one no more pushes until it is resumed; false when no such consumer is configured. */
    Future<Boolean> pause(String consumer);

    /** Goes on where one was paused; false when no such consumer is configured. */
    Future<Boolean> resume(String consumer);
}
