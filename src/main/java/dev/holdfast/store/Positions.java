package dev.holdfast.store;

import java.util.List;
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

    /**
     * Takes over what was noted elsewhere, for each consumer that has no position here: after the store was lost. One that has
     * a position keeps it.
     *
     * @param noted one for each consumer, of one moment: its position, or where it needs pushes from when what is blocked is
     *     not noted
     */
    CompletionStage<Void> restore(List<Checkpoint> noted);

    /** Forgets a consumer: its position and its blocked pushes. */
    CompletionStage<Void> remove(String consumer);
}
