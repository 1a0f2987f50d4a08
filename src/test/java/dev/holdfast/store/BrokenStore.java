package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.rocksdb.RocksDBException;

/** A real store whose writes, or their syncs alone, fail while it is told so. */
public final class BrokenStore {
    private static final DeadLettersConfig BOUNDS = new DeadLettersConfig(100_000, Duration.ofDays(30));

    private BrokenStore() {}

    public static RocksStore open(Path data, MeterRegistry registry, BooleanSupplier broken) {
        return open(data, registry, broken, () -> false);
    }

    public static RocksStore open(Path data, MeterRegistry registry, BooleanSupplier broken, BooleanSupplier unsynced) {
        return new RocksStore(data, registry, BOUNDS, Clock.systemUTC(), System::nanoTime, (database, batch) -> {
            if (unsynced.getAsBoolean()) {
                database.write(batch);
            }
            if (broken.getAsBoolean() || unsynced.getAsBoolean()) {
                throw new RocksDBException("IO error: While fdatasync: Input/output error");
            }
            database.writeSynced(batch);
        });
    }
}
