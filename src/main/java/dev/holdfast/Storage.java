package dev.holdfast;

import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.disk.DataDirectoryRights;
import dev.holdfast.journal.DiskLadder;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.LogJournal;
import dev.holdfast.journal.StorageStart;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;

/** What is durable. */
public record Storage(Journal journal, Store store) {

    /** Opens it: the seam for tests. */
    public interface Opener {
        Storage open(HoldfastConfig config, MeterRegistry registry);
    }

    /**
     * Blocks until it can be written.
     *
     * @param registry of nobody else's before
     */
    public static Storage open(HoldfastConfig config, MeterRegistry registry) {
        Path directory = config.journal().directory();
        DataDirectoryRights.check(directory);
        RocksStore store = RocksStore.open(directory, registry, config.deadLetters());
        try {
            LogJournal journal = LogJournal.open(directory, config.journal().maxSize(), store, registry);
            StorageStart.awaitWritable(journal, () -> DiskLadder.makeRoom(config.journal()));
            return new Storage(journal, store);
        } catch (RuntimeException e) {
            store.close();
            // Or the next try's figures would go on being those of this one's store.
            registry.clear();
            throw e;
        }
    }
}
