package dev.holdfast.bench;

import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.LogJournal;
import dev.holdfast.journal.PushSearch;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.RocksStore;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What a gateway that has ended left on the disk. */
final class KeptPushes {
    private static final long MAX_SIZE = 1L << 40;

    private KeptPushes() {}

    /** Reads every record, with its checksum; how many there are. */
    static long count(Path data) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Store store = RocksStore.open(data, registry, new DeadLettersConfig(1, Duration.ofDays(1)));
                Journal journal = LogJournal.open(data, MAX_SIZE, store, registry)) {
            AtomicLong count = new AtomicLong();
            new PushSearch(journal)
                    .walk(
                            PushFilter.ALL,
                            push -> {
                                count.incrementAndGet();
                                return true;
                            },
                            (seq, last) -> {});
            return count.get();
        }
    }
}
