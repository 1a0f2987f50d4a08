package dev.holdfast.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts pushes and answers. Any thread. */
final class Tally {
    private static final String HEALTHY = "healthy";
    private static final double MICROS_IN_MILLI = 1000;

    private final Map<String, Counts> kinds = new TreeMap<>();
    private final Histogram micros = new Histogram(3);
    private final Counts healthy = new Counts(true);
    private long due;
    private long answered;
    private long sent;
    private long firstDue;
    private long lastSent;

    private static final class Counts {
        final boolean owed200;
        final Map<Integer, Long> statuses = new TreeMap<>();
        final Map<Silence, Long> silences = new EnumMap<>(Silence.class);
        long sent;

        Counts(boolean owed200) {
            this.owed200 = owed200;
        }

        Summary.Outcome as(String kind) {
            return new Summary.Outcome(kind, owed200, sent, new TreeMap<>(statuses), Map.copyOf(silences));
        }
    }

    synchronized void due(long at) {
        if (due++ == 0) {
            firstDue = at;
            lastSent = at;
        }
    }

    synchronized void unsent(@Nullable Fault fault) {
        of(fault).silences.merge(Silence.UNSENT, 1L, Long::sum);
    }

    synchronized void sent(@Nullable Fault fault, long at) {
        sent++;
        of(fault).sent++;
        lastSent = at;
    }

    synchronized void answered(@Nullable Fault fault, Answer answer) {
        answered++;
        Silence silence = answer.silence();
        if (silence != null) {
            of(fault).silences.merge(silence, 1L, Long::sum);
            return;
        }
        of(fault).statuses.merge(answer.status(), 1L, Long::sum);
        if (fault == null || !fault.needsOwnConnection()) {
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(Math.max(0, answer.latencyNanos())));
        }
    }

    synchronized Summary summary() {
        List<Summary.Outcome> outcomes = new ArrayList<>();
        outcomes.add(healthy.as(HEALTHY));
        kinds.forEach((kind, counts) -> outcomes.add(counts.as(kind)));
        Duration sending = Duration.ofNanos(lastSent - firstDue);
        // n pushes at fixed times have n - 1 gaps between them
        double rate = sending.isZero() ? 0 : (sent - 1) * 1e9 / sending.toNanos();
        return new Summary(due, sent, sent - answered, sending, rate, outcomes, latency());
    }

    private Counts of(@Nullable Fault fault) {
        return fault == null ? healthy : kinds.computeIfAbsent(fault.toString(), kind -> new Counts(fault.owed200()));
    }

    private Summary.Latency latency() {
        return new Summary.Latency(
                millis(50), millis(90), millis(99), millis(99.9), micros.getMaxValue() / MICROS_IN_MILLI);
    }

    private double millis(double percentile) {
        return micros.getValueAtPercentile(percentile) / MICROS_IN_MILLI;
    }
}
