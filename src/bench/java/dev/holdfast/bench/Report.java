package dev.holdfast.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The table, built line by line and printed as it grows. */
final class Report {
    private final StringBuilder text = new StringBuilder();

    String text() {
        return text.toString();
    }

    void line(String format, Object... values) {
        String line = String.format(Locale.ROOT, format, values);
        System.out.println(line);
        text.append(line).append('\n');
    }

    void heading(String title) {
        line("");
        line("%-38s %12s %12s %12s", title, "median", "min", "max");
    }

    /** What one server did in its rounds. */
    void server(String title, List<Round> rounds) {
        heading(title);
        figure("acknowledged pushes/s", 0, rounds, Report::rate);
        figure("p50, ms", 2, rounds, round -> round.load().p50() / 1e3);
        figure("p99, ms", 2, rounds, Report::p99);
        figure("server CPU, us a push", 1, rounds, Round::cpuMicros);
        figure("resident memory, MiB", 0, rounds, Round::residentMiB);
        if (rounds.get(0).backlog() != null) {
            figure("backlog at the end of the load", 0, rounds, Report::backlog);
            figure("drained after, ms", 0, rounds, Report::drainedMillis);
        }
        long refused =
                rounds.stream().mapToLong(round -> round.load().refused()).sum();
        long lost = rounds.stream().mapToLong(round -> round.load().lost()).sum();
        line("  %s", "not 200: " + refused + ", no answer: " + lost);
    }

    private void figure(String name, int decimals, List<Round> rounds, ToDoubleFunction<Round> figure) {
        spread(name, decimals, Spread.of(rounds, figure));
    }

    void spread(String name, int decimals, Spread spread) {
        String number = "%,12." + decimals + "f";
        line("  %-36s " + number + " " + number + " " + number, name, spread.median(), spread.min(), spread.max());
    }

    void atLeast(String aim, double found, double wanted) {
        verdict(aim, "at least", found, wanted, found >= wanted);
    }

    void atMost(String aim, double found, double wanted) {
        verdict(aim, "at most", found, wanted, found <= wanted);
    }

    private void verdict(String aim, String bound, double found, double wanted, boolean met) {
        line("  %-36s %12.2f   %s %.2f: %s", aim, found, bound, wanted, met ? "met" : "SHORT");
    }

    static double rate(Round round) {
        return round.load().rate();
    }

    /** Milliseconds. */
    static double p99(Round round) {
        return round.load().p99() / 1e3;
    }

    private static double backlog(Round round) {
        return round.backlog() == null ? 0 : round.backlog().pushes();
    }

    static double drainedMillis(Round round) {
        return round.backlog() == null ? 0 : round.backlog().drained().toMillis();
    }
}
