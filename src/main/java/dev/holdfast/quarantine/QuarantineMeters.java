package dev.holdfast.quarantine;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the quarantine tells of itself. */
final class QuarantineMeters {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantineMeters.class);
    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Why a request was not kept. */
    enum Drop {
        /** Its body is longer than may be kept. */
        TOO_LARGE,
        /** It was refused at its head: there was nothing to keep. */
        UNREAD,
        /** Too many came in a second, or too much. */
        RATE,
        /** Too much waited for the disk already. */
        BUSY,
        /** The disk has no more free space than is kept for the journal. */
        SPACE,
        /** The disk could not keep it. */
        STORAGE
    }

    final Counter kept;
    final Counter removed;
    final Counter damaged;
    final Counter oversized;
    final Counter overnumbered;
    final Counter aged;
    private final Map<Drop, Counter> dropped = new EnumMap<>(Drop.class);
    private final AtomicLong nextLine = new AtomicLong(System.nanoTime());

    QuarantineMeters(MeterRegistry registry) {
        kept = counter(registry, "kept", "Requests with a wrong signature that were kept");
        removed = counter(registry, "removed", "Kept requests that became pushes or were discarded");
        damaged = counter(
                registry,
                "damaged",
                "Kept requests whose bytes are wrong, and files that end in such bytes or can't be read");
        oversized = evicted(registry, "size");
        overnumbered = evicted(registry, "count");
        aged = evicted(registry, "age");
        for (Drop cause : Drop.values()) {
            dropped.put(
                    cause,
                    Counter.builder("holdfast.quarantine.dropped")
                            .description("Requests with a wrong signature that were not kept, by cause")
                            .tag("cause", cause.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .register(registry));
        }
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder("holdfast.quarantine." + name)
                .description(description)
                .register(registry);
    }

    private static Counter evicted(MeterRegistry registry, String cause) {
        return Counter.builder("holdfast.quarantine.evicted")
                .description(
                        "Kept requests given up because there were too many or too much of them, or they were too old")
                .tag("cause", cause)
                .register(registry);
    }

    void dropped(Drop cause) {
        Objects.requireNonNull(dropped.get(cause)).increment();
        tellLosses();
    }

    /** @param cause one of the bounds of number and size */
    void evicted(Counter cause, long count) {
        cause.increment((double) count);
        tellLosses();
    }

    /** At once when it begins, then at most a line a minute. Any thread. */
    private void tellLosses() {
        long now = System.nanoTime();
        long due = nextLine.get();
        if (now - due >= 0 && nextLine.compareAndSet(due, now + PERIOD_NANOS)) {
            LOG.warn(
                    "the quarantine loses requests: {} given up for its bounds since the start, {} not kept: the metrics"
                            + " holdfast_quarantine_evicted_total and holdfast_quarantine_dropped_total have the causes",
                    (long) (oversized.count() + overnumbered.count()),
                    (long) dropped.values().stream().mapToDouble(Counter::count).sum());
        }
    }

    /** Asked whenever the metrics are; any thread. */
    void watch(MeterRegistry registry, LongSupplier count, LongSupplier size) {
        Gauge.builder("holdfast.quarantine.requests", () -> count.getAsLong())
                .description("Requests that are kept")
                .register(registry);
        Gauge.builder("holdfast.quarantine.size", () -> size.getAsLong())
                .description("Bytes on disk")
                .baseUnit("bytes")
                .register(registry);
    }
}
