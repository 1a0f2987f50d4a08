package dev.holdfast.management;

import dev.holdfast.build.BuildInfo;
import dev.holdfast.metrics.LatencyHistogram;
import dev.holdfast.metrics.LatencySnapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.List;
import java.util.function.Supplier;

/** Metrics of the gateway as a whole: what it is, and whether it is ready. */
public final class GatewayMeters {
    private GatewayMeters() {}

    /**
     * Registers them. Conditions and notices are asked on the thread of a scrape, which may block.
     *
     * @param notices what an operator should know of
     */
    public static void bind(MeterRegistry registry, List<Condition> conditions, Supplier<List<String>> notices) {
        BuildInfo build = BuildInfo.ofProcess();
        new UptimeMetrics().bindTo(registry);
        Gauge.builder("holdfast.build.info", () -> 1)
                .description("1; its labels say what runs")
                .tag("version", build.version())
                .tag("commit", build.commit())
                .tag("java", Runtime.version().toString())
                .register(registry);
        Gauge.builder("holdfast.ready", () -> Condition.States.of(conditions).ready() ? 1 : 0)
                .description("1 while pushes are welcome: every required condition holds")
                .register(registry);
        for (Condition condition : conditions) {
            Gauge.builder("holdfast.ready.condition", () -> condition.holds().getAsBoolean() ? 1 : 0)
                    .description("1 while the condition holds; readiness needs those with required=\"true\"")
                    .tag("condition", condition.name())
                    .tag("required", Boolean.toString(condition.required()))
                    .register(registry);
        }
        Gauge.builder("holdfast.notices", () -> notices.get().size())
                .description("What an operator should know of: /readyz shows it in words")
                .register(registry);
    }

    /** Registers a histogram under its name in Prometheus, which includes the unit. */
    public static void bind(PrometheusMeterRegistry registry, String name, String help, LatencyHistogram histogram) {
        registry.getPrometheusRegistry().register((Collector) () -> {
            LatencySnapshot now = histogram.snapshot();
            return HistogramSnapshot.builder()
                    .name(name)
                    .help(help)
                    .dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                            .classicHistogramBuckets(ClassicHistogramBuckets.of(now.boundsSeconds(), now.counts()))
                            .sum(now.sumSeconds())
                            .build())
                    .build();
        });
    }
}
