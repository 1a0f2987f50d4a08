package dev.holdfast.token;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Time that passes when a test says so. The machine's clock can be set apart from what really passes. Any thread. */
final class TestTime implements Timing {
    private static final Instant BEGINNING = Instant.parse("2026-03-01T12:00:00Z");

    private final List<Timer> timers = new ArrayList<>();
    private long nanos = 1_000_000_000_000L;
    private final long origin = nanos;
    private Duration wrong = Duration.ZERO;

    private record Timer(long dueNanos, Context context, Runnable action) {}

    @Override
    public synchronized Instant wall() {
        return truth().plus(wrong);
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Runnable after(Duration delay, Runnable action) {
        Timer timer = new Timer(nanos + delay.toNanos(), Objects.requireNonNull(Vertx.currentContext()), action);
        timers.add(timer);
        return () -> cancel(timer);
    }

    /** What really passed, for the service, whose clock is right. */
    InstantSource service() {
        return this::truth;
    }

    /** Lets time pass, all at once; what became due meanwhile runs once, late. */
    synchronized void pass(Duration duration) {
        nanos += duration.toNanos();
        List<Timer> due =
                timers.stream().filter(timer -> timer.dueNanos() <= nanos).toList();
        timers.removeAll(due);
        due.forEach(timer -> timer.context().runOnContext(now -> timer.action().run()));
    }

    /** Sets the machine's clock, and nothing passes. */
    synchronized void setClock(Duration by) {
        wrong = wrong.plus(by);
    }

    /** Until something is to happen by itself. */
    synchronized Duration untilNext() {
        long next = timers.stream().mapToLong(Timer::dueNanos).min().orElse(nanos);
        return Duration.ofNanos(Math.max(0, next - nanos));
    }

    private synchronized Instant truth() {
        return BEGINNING.plusNanos(nanos - origin);
    }

    private synchronized void cancel(Timer timer) {
        timers.remove(timer);
    }
}
