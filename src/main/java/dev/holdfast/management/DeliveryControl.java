package dev.holdfast.management;

import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.DeadLetterFilter;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import dev.holdfast.store.WayStation;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the API asks of the delivery. */
public interface DeliveryControl {
    /** Which events each consumer wants that is configured, running or not, by name. */
    Map<String, Predicate<String>> wants();

    /** The consumers that are delivered to. */
    Set<String> running();

    /** How it stands with each consumer that is configured, or that something is kept of, by name. */
    Future<List<ConsumerState>> states();

    /** The blocked lanes of one. */
    Future<BlockedLanes> lanes(String consumer);

    /** Gives one no more pushes until it is resumed; false when no such consumer is configured. */
    Future<Boolean> pause(String consumer);

    /** Goes on where one was paused; false when no such consumer is configured. */
    Future<Boolean> resume(String consumer);

    /** How it stands with one push at each consumer. */
    Future<List<WayStation>> way(PushRecord push);

    /** Begins a replay to one consumer, or to all; fails with an {@link IllegalArgumentException} when there is none. */
    Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate);

    /** Brings the dead letters of these consumers that match back to their lanes. */
    Future<Replay> retry(DeadLetterFilter filter, Collection<String> consumers);

    /** Those on their way, and the last ones that no longer are. */
    Future<List<ReplayState>> replays();

    /** Ends one; false when there is none of that id. */
    Future<Boolean> stopReplay(String id);
}
