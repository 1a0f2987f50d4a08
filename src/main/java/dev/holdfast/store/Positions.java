package dev.holdfast.store;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/** How far each consumer has come in the journal. Any thread; futures complete on the store's own thread. */
public interface Positions {
    /**
     * The durable position of each consumer that has one: everything up to it is done or is a blocked push. Cheap.
     *
     * @throws StoreException when the store was never opened, so that nothing is known: a consumer that isn't found then is
     *     not a new one
     */
    Map<String, Long> all();

    /**
     * Makes a checkpoint durable: its position and its changes of blocked pushes in one write, all or nothing. Never blocks.
     * Those of one consumer are written in the order of the calls. Fails with a {@link StoreException} when the disk does.
     *
     * @param urgent whether somebody waits for it; else it waits a moment for others, so that one sync does for all
     */
    CompletionStage<Void> save(Checkpoint checkpoint, boolean urgent);

    /** One that isn't urgent. */
    default CompletionStage<Void> save(Checkpoint checkpoint) {
        return save(checkpoint, false);
    }

    /** Forgets a consumer: its position and its blocked pushes. */
    CompletionStage<Void> remove(String consumer);
}
