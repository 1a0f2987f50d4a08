package dev.holdfast.bench;

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
        }
        report.line("");
        report.line("aims");
        if (!limit.isEmpty()) {
            Spread rates = Spread.ratio(holdfast, limit, Report::rate);
            report.atLeast("c/b, acknowledged pushes/s, median", rates.median(), 0.75);
            Spread latencies = Spread.ratio(holdfast, limit, Report::p99);
            report.atMost("c/b, p99, median", latencies.median(), 2);
        }
        report.atMost(
                "CPU of c, us a push, median",
                Spread.of(holdfast, Round::cpuMicros).median(),
                24);
        report.atMost(
                "drained after, s, longest",
                Spread.of(holdfast, Report::drainedMillis).max() / 1e3,
                2);
        report.atMost(
                "resident memory of c, MiB, most",
                Spread.of(holdfast, Round::residentMiB).max(),
                600);
    }

    void journals(List<Round> full, List<Round> empty, long prefill) {
        Spread ratio = Spread.ratio(full, empty, Report::rate);
        report.heading("journal with " + prefill + " pushes / empty");
        report.spread("acknowledged pushes/s", 2, ratio);
        report.atLeast("aim, median", ratio.median(), 0.9);
    }

    /**
     * A push may be kept whose {@code 200} the client didn't wait for: those in flight when a round ended. None that got
     * its {@code 200} may be missing.
     */
    void journal(String title, long acknowledged, long kept) {
        report.line("");
        report.line("journal of %s, counted after a restart:", title);
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
