package dev.holdfast.bench;

import dev.holdfast.bench.Forwarding.Outage;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What came of the rounds of the {@link ForwarderBenchmark}, and the table of it. */
final class ForwarderRounds {
    /** The p99 during an outage may be a tenth above the undisturbed one. */
    private static final double AIM = 1.1;

    private record Round(Histogram undisturbed, Outage outage) {
        Histogram all() {
            Histogram all = outage.during().copy();
            all.add(outage.after());
            return all;
        }

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
        ratio(report, "server in trouble", round -> round.outage().during());
        ratio(report, "being caught up with", round -> round.outage().after());
        ratio(report, "both together", Round::all);
        report.atMost(
                "aim, both together, median",
                Spread.of(rounds, round -> round.ratio(round.all())).median(),
                AIM);
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

    private void ratio(Report report, String name, Part part) {
        report.spread(name, 2, Spread.of(rounds, round -> round.ratio(part.of(round))));
    }

    private static void latencies(Report report, String title, List<Histogram> parts) {
        report.heading("receiver, " + title);
        report.spread("p50, ms", 2, Spread.of(parts, part -> part.getValueAtPercentile(50) / 1e3));
        report.spread("p99, ms", 2, Spread.of(parts, part -> part.getValueAtPercentile(99) / 1e3));
    }
}
