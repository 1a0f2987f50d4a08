package dev.holdfast.management;

import dev.holdfast.journal.PushFilter;
import dev.holdfast.journal.Replay;
import dev.holdfast.journal.ReplayState;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the API can do with the pushes in the journal. */
public interface PushControl {
    /** Those that match, in the order of their positions. */
    Future<List<PushRecord>> list(PushFilter filter, int max);

    /** How many match. */
    Future<Long> count(PushFilter filter);

    /** Begins a replay to one consumer, or to all; fails with an {@link IllegalArgumentException} when there is none. */
    Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate);

    /** Those on their way, and the last ones that no longer are. */
    Future<List<ReplayState>> replays();

    /** Ends one; false when there is none of that id. */
    Future<Boolean> stopReplay(String id);
}
