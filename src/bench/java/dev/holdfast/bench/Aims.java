package dev.holdfast.bench;

import java.time.Duration;
import java.util.List;

/** What is aimed at, beside what was found. Speed is reported, never asserted; a missing push ends the run. */
final class Aims {
    private final Report report;

    Aims(Report report) {
        this.report = report;
    }

    /** Without rounds where a server did not take part. */
    void servers(List<Round> bare, List<Round> limit, List<Round> holdfast) {
        if (holdfast.isEmpty()) {
            return;
        }
        report.heading("ratios, round by round");
        if (!bare.isEmpty()) {
            report.spread("c/a, acknowledged pushes/s", 2, Spread.ratio(holdfast, bare, Report::rate));
        }
        if (!limit.isEmpty()) {
            report.spread("c/b, acknowledged pushes/s", 2, Spread.ratio(holdfast, limit, Report::rate));
            report.spread("c/b, p99", 2, Spread.ratio(holdfast, limit, Report::p99));
            report.spread("c/b, CPU a push", 2, Spread.ratio(holdfast, limit, Round::cpuMicros));
        }
        report.line("");
        report.line("aims");
        if (!limit.isEmpty()) {
            Spread rates = Spread.ratio(holdfast, limit, Report::rate);
            report.atLeast("c/b, acknowledged pushes/s, median", rates.median(), 0.8);
            Spread latencies = Spread.ratio(holdfast, limit, Report::p99);
            report.atMost("c/b, p99, median", latencies.median(), 1.7);
            report.atMost(
                    "c/b, CPU a push, median",
                    Spread.ratio(holdfast, limit, Round::cpuMicros).median(),
                    1.4);
        }
        report.atMost(
                "drained after, s, longest",
                Spread.of(holdfast, Report::drainedMillis).max() / 1e3,
                2);
        report.atMost(
                "resident memory of c, MiB, most",
                Spread.of(holdfast, Round::residentMiB).max(),
                300);
    }

    void journals(List<Round> full, List<Round> empty, long prefill) {
        Spread ratio = Spread.ratio(full, empty, Report::rate);
        report.heading("journal with " + prefill + " pushes / empty");
        report.spread("acknowledged pushes/s", 2, ratio);
        report.atLeast("aim, median", ratio.median(), 0.95);
    }

    /** Servers in the first seconds of their lives. */
    void young(List<Round> limit, List<Round> holdfast) {
        Spread rates = Spread.ratio(holdfast, limit, Report::rate);
        Spread cpu = Spread.ratio(holdfast, limit, Round::cpuMicros);
        report.heading("ratios of the first seconds, round by round");
        report.spread("c/b, acknowledged pushes/s", 2, rates);
        report.spread("c/b, CPU a push", 2, cpu);
        report.atLeast("c/b, acknowledged pushes/s, median", rates.median(), 0.7);
        report.atMost("c/b, CPU a push, median", cpu.median(), 1.6);
    }

    /** @param accepting how long after a kill and start the first push was answered {@code 200} */
    void kills(List<Duration> accepting) {
        Spread seconds = Spread.of(accepting, duration -> duration.toMillis() / 1e3);
        report.heading("killed, with the journal filled before");
        report.spread("accepting after, s", 2, seconds);
        report.atMost("aim, longest", seconds.max(), 2);
    }

    /**
     * A push may be kept whose {@code 200} the client didn't wait for: those in flight when a round ended. None that got
     * its {@code 200} may be missing.
     */
    void journal(String title, long acknowledged, long kept) {
        report.line("");
        report.line("journal of %s, every record read back:", title);
        report.line("  %,d pushes answered 200, %,d kept: %s", acknowledged, kept, verdict(acknowledged, kept));
        if (kept < acknowledged) {
            throw new IllegalStateException((acknowledged - kept) + " pushes were answered 200 and are not kept");
        }
    }

    private static String verdict(long acknowledged, long kept) {
        return kept < acknowledged
                ? (acknowledged - kept) + " MISSING"
                : "none missing (" + (kept - acknowledged) + " more: in flight when a load ended, at most "
                        + BenchSettings.CONNECTIONS + " a load)";
    }
}
