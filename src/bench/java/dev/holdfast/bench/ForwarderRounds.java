package dev.holdfast.bench;

import dev.holdfast.bench.Forwarding.Outage;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What came of the rounds of the {@link ForwarderBenchmark}, and the table of it. */
final class ForwarderRounds {
    /** So many times the undisturbed p99 may be that during an outage, and that while the consumer catches up. */
    private static final double AIM_DURING = 1.1;

    private static final double AIM_AFTER = 1.3;

    private record Round(Histogram undisturbed, Outage outage) {
        double ratio(Histogram disturbed) {
            return (double) disturbed.getValueAtPercentile(99) / undisturbed.getValueAtPercentile(99);
        }
    }

    private final List<Round> rounds = new ArrayList<>();

    void add(Histogram undisturbed, Outage outage) {
        rounds.add(new Round(undisturbed, outage));
    }

    void print(Report report) {
        latencies(report, "undisturbed", rounds.stream().map(Round::undisturbed).toList());
        latencies(
                report,
                "server in trouble",
                rounds.stream().map(round -> round.outage().during()).toList());
        latencies(
                report,
                "server back, being caught up with",
                rounds.stream().map(round -> round.outage().after()).toList());
        report.heading("p99 over the undisturbed one, round by round");
        ratio(report, "server in trouble", AIM_DURING, round -> round.outage().during());
        ratio(report, "being caught up with", AIM_AFTER, round -> round.outage().after());
        report.heading("catching up, under the same load");
        report.spread(
                "backlog, pushes", 0, Spread.of(rounds, round -> round.outage().backlog()));
        report.spread(
                "until less than a second's is left, s",
                1,
                Spread.of(rounds, round -> round.outage().drained().toMillis() / 1e3));
        report.spread(
                "resident memory, MiB",
                0,
                Spread.of(rounds, round -> round.outage().residentMiB()));
    }

    private interface Part {
        Histogram of(Round round);
    }

    private void ratio(Report report, String name, double aim, Part part) {
        Spread ratios = Spread.of(rounds, round -> round.ratio(part.of(round)));
        report.spread(name, 2, ratios);
        report.atMost("aim, " + name + ", median", ratios.median(), aim);
    }

    private static void latencies(Report report, String title, List<Histogram> parts) {
        report.heading("receiver, " + title);
        report.spread("p50, ms", 2, Spread.of(parts, part -> part.getValueAtPercentile(50) / 1e3));
        report.spread("p99, ms", 2, Spread.of(parts, part -> part.getValueAtPercentile(99) / 1e3));
    }
}
