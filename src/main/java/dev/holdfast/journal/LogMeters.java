package dev.holdfast.journal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;

/** What the log tells of itself. */
final class LogMeters {
    private static final Duration[] SYNC_BUCKETS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 500, 1_000, 5_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    final DistributionSummary batchSize;
    final Timer sync;
    final Counter failures;
    final Counter corrupt;

    LogMeters(MeterRegistry registry) {
        this.registry = registry;
        batchSize = DistributionSummary.builder("holdfast.journal.batch")
                .description("Pushes made durable by one sync")
                .baseUnit("pushes")
                .register(registry);
        sync = Timer.builder("holdfast.journal.sync")
                .description("Time of one write and its sync")
                .serviceLevelObjectives(SYNC_BUCKETS)
                .register(registry);
        failures = Counter.builder("holdfast.journal.failures")
                .description("Writes, syncs and beginnings of segments that failed")
                .register(registry);
        corrupt = Counter.builder("holdfast.journal.corrupt")
                .description("Kept pushes that are missing or whose bytes are wrong")
                .register(registry);
    }

    void watch(Journal journal, CorruptionLog corruption) {
        Gauge.builder("holdfast.journal.size", journal, Journal::size)
                .description("Bytes on disk")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("holdfast.journal.first.seq", journal, Journal::firstSeq)
                .description("Oldest kept position")
                .register(registry);
        Gauge.builder("holdfast.journal.last.seq", journal, Journal::lastSeq)
                .description("Newest durable position")
                .register(registry);
        Gauge.builder(
                        "holdfast.journal.damaged.files",
                        corruption,
                        found -> found.files().size())
                .description("Files of the journal that were found damaged since the start")
                .register(registry);
    }
}
