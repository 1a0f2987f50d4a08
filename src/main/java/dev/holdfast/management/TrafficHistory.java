package dev.holdfast.management;

import dev.holdfast.metrics.EndpointTraffic;
import dev.holdfast.metrics.LatencySnapshot;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The last ten minutes in figures: {@value #MOST} samples, one every {@value #PERIOD_MILLIS} ms, so that its memory is bounded. Any
 * thread that may block.
 */
public final class TrafficHistory {
    public static final long PERIOD_MILLIS = 2_000;
    static final int MOST = 300;
    /** How many samples cover the last ten seconds. */
    private static final int RECENT = 5;

    private static final double NANOS_A_SECOND = 1e9;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double HUNDREDTHS = 100;

    /** Figures at one moment; counts are since the start. */
    private record Sample(
            Instant at,
            long nanos,
            long accepted,
            long refused,
            LatencySnapshot latency,
            long longest,
            long diskFree,
            Map<String, Long> lags) {}

    private final TrafficControl traffic;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final AtomicBoolean sampling = new AtomicBoolean();
    /** One more than is shown: a rate has two ends. */
    private final List<Sample> samples = new ArrayList<>();

    public TrafficHistory(TrafficControl traffic, InstantSource clock) {
        this(traffic, clock, System::nanoTime);
    }

    TrafficHistory(TrafficControl traffic, InstantSource clock, LongSupplier nanoTime) {
        this.traffic = traffic;
        this.clock = clock;
        this.nanoTime = nanoTime;
        samples.add(now());
    }

    /**
     * Takes a sample: to be called every {@value #PERIOD_MILLIS} ms. Blocks until the disk has told its free space;
     * meanwhile no other sample is taken, but readers don't wait.
     */
    public void sample() {
        if (sampling.compareAndSet(false, true)) {
            try {
                add(now());
            } finally {
                sampling.set(false);
            }
        }
    }

    private synchronized void add(Sample now) {
        samples.add(now);
        if (samples.size() > MOST + 1) {
            samples.remove(0);
        }
    }

    private Sample now() {
        EndpointTraffic totals = traffic.totals().get();
        return new Sample(
                clock.instant(),
                nanoTime.getAsLong(),
                totals.accepted(),
                totals.refused().values().stream().mapToLong(Long::longValue).sum(),
                traffic.acknowledgements().snapshot(),
                traffic.acknowledgements().takeMax(),
                traffic.disk().get().free(),
                Map.copyOf(traffic.lags().get()));
    }

    /** Rates a second, over the last ten seconds. */
    synchronized JsonObject rates() {
        Sample from = newest(RECENT);
        Sample to = newest(0);
        return new JsonObject()
                .put("accepted", rate(from, to, Sample::accepted))
                .put("refused", rate(from, to, Sample::refused));
    }

    /** Latencies in milliseconds, over the last ten seconds; empty if nothing came. */
    synchronized JsonObject latency() {
        LatencySnapshot fresh = newest(0).latency().since(newest(RECENT).latency());
        if (fresh.count() == 0) {
            return new JsonObject();
        }
        long longest = samples.subList(Math.max(0, samples.size() - RECENT), samples.size()).stream()
                .mapToLong(Sample::longest)
                .max()
                .orElse(0);
        return new JsonObject()
                .put("p50", quantile(fresh, 0.5, longest))
                .put("p99", quantile(fresh, 0.99, longest))
                .put("max", quantile(fresh, 1, longest));
    }

    /**
     * A quantile in milliseconds. It is as coarse as the buckets, but never more than {@code longest}, which is exact.
     *
     * @param longest in nanoseconds; 0: taken with the sample before
     */
    private static double quantile(LatencySnapshot fresh, double part, long longest) {
        double exact = longest / NANOS_A_MILLI;
        double rough = fresh.quantileMillis(part);
        return round(longest == 0 ? rough : part < 1 ? Math.min(rough, exact) : exact);
    }

    /** The sample that {@code after} others follow, or the oldest. */
    private Sample newest(int after) {
        return samples.get(Math.max(0, samples.size() - 1 - after));
    }

    /** All of them, the oldest first. */
    synchronized JsonObject show() {
        Set<String> consumers = new TreeSet<>();
        samples.forEach(sample -> consumers.addAll(sample.lags().keySet()));
        JsonObject lag = new JsonObject();
        consumers.forEach(name -> lag.put(name, new JsonArray()));
        JsonObject shown = new JsonObject();
        List.of("at", "accepted", "refused", "p50", "p99", "diskFree")
                .forEach(name -> shown.put(name, new JsonArray()));
        for (int i = 1; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            add(shown, samples.get(i - 1), sample);
            consumers.forEach(name -> lag.getJsonArray(name).add(sample.lags().get(name)));
        }
        return shown.put("lag", lag);
    }

    private static void add(JsonObject shown, Sample before, Sample sample) {
        LatencySnapshot fresh = sample.latency().since(before.latency());
        boolean came = fresh.count() > 0;
        shown.getJsonArray("at").add(sample.at().toString());
        shown.getJsonArray("accepted").add(rate(before, sample, Sample::accepted));
        shown.getJsonArray("refused").add(rate(before, sample, Sample::refused));
        shown.getJsonArray("p50").add(came ? quantile(fresh, 0.5, sample.longest()) : null);
        shown.getJsonArray("p99").add(came ? quantile(fresh, 0.99, sample.longest()) : null);
        shown.getJsonArray("diskFree").add(sample.diskFree() < 0 ? null : sample.diskFree());
    }

    private static double rate(Sample from, Sample to, ToDoubleFunction<Sample> count) {
        double seconds = Math.max(
                (to.nanos() - from.nanos()) / NANOS_A_SECOND, TimeUnit.MILLISECONDS.toNanos(1) / NANOS_A_SECOND);
        return round(Math.max(0, count.applyAsDouble(to) - count.applyAsDouble(from)) / seconds);
    }

    private static double round(double value) {
        return Math.round(value * HUNDREDTHS) / HUNDREDTHS;
    }
}
