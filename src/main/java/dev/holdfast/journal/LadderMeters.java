package dev.holdfast.journal;

import dev.holdfast.disk.FreeSpace;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What the {@link DiskLadder} tells of itself. */
final class LadderMeters {
    private final MeterRegistry registry;
    private final Counter removedEarly;

    LadderMeters(
            MeterRegistry registry, long reserve, LongSupplier free, Supplier<Number> step, Supplier<Number> setAside) {
        this.registry = registry;
        Gauge.builder("holdfast.disk.free", () -> known(free.getAsLong()))
                .description("Free bytes of the disk that the journal lies on")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("holdfast.disk.reserve", () -> reserve)
                .description("Free bytes of that disk below which pushes are no longer welcome: journal.reserve")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("holdfast.disk.step", step)
                .description(
                        "How far what is done about a disk that fills has come: 0, nothing, to 4, pushes are refused")
                .register(registry);
        Gauge.builder("holdfast.disk.set.aside", setAside)
                .description("Bytes that are set aside, to be given up when the disk fills")
                .baseUnit("bytes")
                .register(registry);
        removedEarly = Counter.builder("holdfast.disk.removed.early")
                .description("Bytes of pushes that were removed before their time because the disk filled")
                .baseUnit("bytes")
                .register(registry);
        for (int reached = 1; reached <= 4; reached++) {
            counter(reached);
        }
    }

    private static double known(long free) {
        return free == FreeSpace.UNKNOWN ? Double.NaN : free;
    }

    private Counter counter(int reached) {
        return Counter.builder("holdfast.disk.steps")
                .description("Times that a step was taken because the disk filled")
                .tag("step", Integer.toString(reached))
                .register(registry);
    }

    void removedEarly(long bytes) {
        removedEarly.increment((double) bytes);
    }

    void reached(int step) {
        counter(step).increment();
    }
}
