package dev.holdfast.store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** What the store tells of itself. */
final class StoreMeters {
    private final MeterRegistry registry;
    private final MeterProvider<Counter> ledger;
    final Timer sync;
    final Counter failures;
    final Counter setAside;
    final Counter undone;
    final Counter corrupt;

    StoreMeters(MeterRegistry registry) {
        this.registry = registry;
        sync = Timer.builder("holdfast.store.sync")
                .description("Time of one synced write")
                .register(registry);
        failures = counter("holdfast.store.failures", "Writes, syncs and openings that failed");
        setAside = counter("holdfast.store.set.aside", "Damaged stores that were set aside, and made anew");
        undone = counter("holdfast.store.undone", "Durable writes that are gone because the log was damaged");
        corrupt = counter("holdfast.store.corrupt", "Kept records whose bytes are wrong");
        ledger = Counter.builder("holdfast.ledger.entries")
                .description("What was refused or lost since the start, by the ledger's causes")
                .withRegistry(registry);
        // Or a scraper that sees one begin with thousands would see nothing increase.
        LedgerCause.ALL.forEach(cause -> ledger(cause, 0));
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** Something was refused or lost, so many times. Any thread. */
    void ledger(String cause, long times) {
        ledger.withTag("cause", cause).increment((double) times);
    }

    /** Dead letters that the bounds gave up. */
    Counter evicted(String consumer, String cause) {
        return Counter.builder("holdfast.store.dead.letters.evicted")
                .description("Dead letters given up because there were too many, or they were too old")
                .tag("consumer", consumer)
                .tag("cause", cause)
                .register(registry);
    }

    /** Asked whenever the metrics are; any thread. */
    void watch(BooleanSupplier open, LongSupplier size) {
        Gauge.builder("holdfast.store.open", () -> open.getAsBoolean() ? 1 : 0)
                .description("Whether the store takes what it is told")
                .register(registry);
        Gauge.builder("holdfast.store.size", size::getAsLong)
                .description("Bytes on disk")
                .baseUnit("bytes")
                .register(registry);
    }
}
