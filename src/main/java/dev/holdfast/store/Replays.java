package dev.holdfast.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The replays that are on their way, so that they go on after a restart. Any thread; futures complete when what they stand for
 * is durable, on the store's own thread, and fail with a {@link StoreException} when the disk does.
 */
public interface Replays {
    /** Keeps a replay, in the place of one of the same id. Never blocks. */
    CompletionStage<Void> save(Replay replay);

    /** Gives up a replay. Never blocks. */
    CompletionStage<Void> remove(String id);

    /** Those that are kept. One that can't be read is logged and passed over. Reads the disk: blocks. */
    List<Replay> all();
}
