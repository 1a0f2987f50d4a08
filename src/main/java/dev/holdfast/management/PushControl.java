package dev.holdfast.management;

import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the API can do with the pushes in the journal. */
public interface PushControl {
    /**
     * Those that match, in the order of their positions.
     *
     * @param part what is wanted of each; on a worker thread
     */
    <T> Future<List<T>> list(PushFilter filter, int max, Function<PushRecord, T> part);

    /**
     * What a replay would do now.
     *
     * @param pushes that match and at least one of its consumers subscribed to
     * @param deliveries one for each push and consumer
     */
    record Count(long pushes, long deliveries) {}

    /** Counts for one consumer, or for all; fails with an {@link IllegalArgumentException} when there is none. */
    Future<Count> count(PushFilter filter, @Nullable String consumer);

    /** Begins a replay to one consumer, or to all; fails with an {@link IllegalArgumentException} when there is none. */
    Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate);

    /** Those on their way, and the last ones that no longer are. */
    Future<List<ReplayState>> replays();

    /** Ends one; false when there is none of that id. */
    Future<Boolean> stopReplay(String id);
}
