package dev.holdfast.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.logging.Counted;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Summary.Latency;
import dev.holdfast.simulator.Summary.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A simulation's summary, as text or JSON. */
final class SimulationReport {
    private static final double NANOS = 1e9;

    private SimulationReport() {}

    /** One line while it runs. */
    static String progress(Summary now) {
        return format(
                "%6.1f s  sent %d  200: %d  other: %d  no answer: %d  under way: %d  p99 %.1f ms",
                seconds(now),
                now.sent(),
                ok(now.statuses()),
                sum(now.statuses()) - ok(now.statuses()),
                sum(now.silences()),
                now.underWay(),
                now.latency().p99());
    }

    static String text(Summary summary) {
        SortedMap<Integer, Long> others = summary.statuses();
        long ok = ok(others);
        others.remove(200);
        StringBuilder out = new StringBuilder();
        line(out, "sent", summary.sent(), format("%.1f a second for %.1f s", summary.rate(), seconds(summary)));
        line(out, "answered 200", ok, "");
        line(out, "answered other", sum(others), list(others));
        line(out, "no answer", sum(summary.silences()), list(summary.silences()));
        if (summary.underWay() > 0) {
            line(out, "under way", summary.underWay(), "not yet answered when stopped");
        }
        out.append(latency(summary.latency()));
        if (summary.outcomes().size() > 1) {
            out.append(faults(summary));
        }
        return out.append(verdict(summary)).toString();
    }

    static String json(Summary summary) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("due", summary.due());
        root.put("sent", summary.sent());
        root.put("underWay", summary.underWay());
        root.put("seconds", seconds(summary));
        root.put("rate", summary.rate());
        root.put("missed", summary.missed());
        root.put("forgedTaken", summary.forgedTaken());
        put(root.putObject("statuses"), summary.statuses());
        put(root.putObject("silences"), summary.silences());
        Latency latency = summary.latency();
        root.putObject("latencyMillis")
                .put("p50", latency.p50())
                .put("p90", latency.p90())
                .put("p99", latency.p99())
                .put("p99.9", latency.p999())
                .put("max", latency.max());
        ObjectNode kinds = root.putObject("kinds");
        for (Outcome outcome : summary.outcomes()) {
            ObjectNode kind = kinds.putObject(outcome.kind());
            kind.put("sent", outcome.sent()).put("owed200", outcome.owed200());
            put(kind.putObject("statuses"), outcome.statuses());
            put(kind.putObject("silences"), outcome.silences());
        }
        return root.toPrettyString();
    }

    private static String latency(Latency latency) {
        return format(
                "%-16s p50 %.2f  p90 %.2f  p99 %.2f  p99.9 %.2f  max %.2f   (from when each was due)%n",
                "latency in ms", latency.p50(), latency.p90(), latency.p99(), latency.p999(), latency.max());
    }

    private static String faults(Summary summary) {
        StringBuilder out = new StringBuilder(format("%n%-16s %8s  %s%n", "kind", "sent", "answers"));
        for (Outcome outcome : summary.outcomes()) {
            String answers = Stream.of(list(outcome.statuses()), list(outcome.silences()))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
            line(out, outcome.kind(), outcome.sent(), answers.isEmpty() ? "none" : answers);
        }
        return out.append(System.lineSeparator()).toString();
    }

    private static String verdict(Summary summary) {
        String owed = summary.missed() == 0
                ? "Every push that is owed a 200 got it."
                : Counted.of(summary.missed(), "push") + " owed a 200 did not get it." + SimulationAdvice.of(summary);
        return summary.forgedTaken() == 0
                ? owed
                : owed + System.lineSeparator() + Counted.of(summary.forgedTaken(), "push")
                        + " with a wrong signature got a 200: the receiver takes them from anybody.";
    }

    private static void line(StringBuilder out, String name, long count, String remark) {
        out.append(format("%-16s %8d  %s", name, count, remark).stripTrailing()).append(System.lineSeparator());
    }

    private static String list(Map<?, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + ": " + count.getValue())
                .collect(Collectors.joining(", "));
    }

    private static void put(ObjectNode node, Map<?, Long> counts) {
        counts.forEach((key, count) -> node.put(key.toString(), count));
    }

    private static double seconds(Summary summary) {
        return summary.sending().toNanos() / NANOS;
    }

    private static long ok(Map<Integer, Long> statuses) {
        return statuses.getOrDefault(200, 0L);
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
