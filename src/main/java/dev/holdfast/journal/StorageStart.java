package dev.holdfast.journal;

import dev.holdfast.disk.SystemWords;
import dev.holdfast.retry.Outage;
import dev.holdfast.store.StoreException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The opening of journal and store. A full disk is no reason to give up: it is tried again until there is room. Blocks. */
public final class StorageStart {
    private static final Logger LOG = LoggerFactory.getLogger(StorageStart.class);
    private static final long PAUSE_MILLIS = 500;

    private StorageStart() {}

    /**
     * Opens, again and again while the disk is full.
     *
     * @param makeRoom gives up what may be given up for that, before each further try
     * @throws RuntimeException what the opening failed with, when it is not a full disk
     */
    public static <T> T open(Supplier<T> opening, Runnable makeRoom) {
        Outage outage = new Outage();
        while (true) {
            try {
                return opening.get();
            } catch (JournalException | StoreException e) {
                if (!isForWantOfRoom(e)) {
                    throw e;
                }
                if (outage.failed()) {
                    LOG.error(
                            "not accepting pushes, the port is closed: {}; it is tried again until there is room",
                            e.getMessage());
                }
            }
            pause();
            makeRoom.run();
        }
    }

    /** Waits until the journal can be written; its own lines say why it can't, again and again. */
    public static void awaitWritable(Journal journal, Runnable makeRoom) {
        if (!journal.writable()) {
            LOG.error("not accepting pushes, the port is closed until the journal can be written");
            while (!journal.writable()) {
                makeRoom.run();
                pause();
            }
        }
    }

    private static boolean isForWantOfRoom(@Nullable Throwable failure) {
        return failure != null
                && (SystemWords.NO_ROOM.areIn(failure.getMessage()) || isForWantOfRoom(failure.getCause()));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the disk was full", e);
        }
    }
}
