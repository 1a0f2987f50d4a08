package dev.holdfast.journal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What the journal tells of itself. */
final class JournalMeters {
    private final MeterRegistry registry;
    final DistributionSummary batchSize;
    final Timer sync;
    final Counter failures;
    final Counter corrupt;

    JournalMeters(MeterRegistry registry) {
        this.registry = registry;
        batchSize = DistributionSummary.builder("holdfast.journal.batch.size")
                .description("Pushes made durable by one sync")
                .register(registry);
        sync = Timer.builder("holdfast.journal.sync")
                .description("Time of one synced write")
                .register(registry);
        failures = Counter.builder("holdfast.journal.failures")
                .description("Writes, syncs and openings that failed")
                .register(registry);
        corrupt = Counter.builder("holdfast.journal.corrupt")
                .description("Kept pushes that are missing or whose bytes are wrong")
                .register(registry);
    }

    void watch(RocksJournal journal) {
        Gauge.builder("holdfast.journal.size", journal, RocksJournal::bytesOnDisk)
                .description("Bytes on disk")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("holdfast.journal.first.seq", journal, Journal::firstSeq)
                .description("Oldest kept position")
                .register(registry);
        Gauge.builder("holdfast.journal.last.seq", journal, Journal::lastSeq)
                .description("Newest durable position")
                .register(registry);
    }
}
