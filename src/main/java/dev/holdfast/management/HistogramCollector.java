package dev.holdfast.management;

import dev.holdfast.metrics.LatencyHistogram;
import dev.holdfast.metrics.LatencySnapshot;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/** Brings a histogram into a scrape. */
final class HistogramCollector implements Collector {
    private final String name;
    private final String help;
    private final LatencyHistogram histogram;

    /** @param name as Prometheus has it, with its unit */
    HistogramCollector(String name, String help, LatencyHistogram histogram) {
        this.name = name;
        this.help = help;
        this.histogram = histogram;
    }

    @Override
    public MetricSnapshot collect() {
        LatencySnapshot now = histogram.snapshot();
        return HistogramSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(now.boundsSeconds(), now.counts()))
                        .sum(now.sumSeconds())
                        .build())
                .build();
    }
}
