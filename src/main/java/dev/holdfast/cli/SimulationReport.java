package dev.holdfast.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.logging.Counted;
import dev.holdfast.simulator.Silence;
import dev.holdfast.simulator.Summary;
import dev.holdfast.simulator.Summary.Latency;
import dev.holdfast.simulator.Summary.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;

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
        SortedMap<Integer, Long> statuses = summary.statuses();
        long ok = ok(statuses);
        StringBuilder out = new StringBuilder();
        line(out, "sent", summary.sent(), format("%.1f a second for %.1f s", summary.rate(), seconds(summary)));
        line(out, "answered 200", ok, "");
        line(out, "answered other", sum(statuses) - ok, statusList(statuses, false));
        line(out, "no answer", sum(summary.silences()), silenceList(summary.silences()));
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
        statuses(root.putObject("statuses"), summary.statuses());
        silences(root.putObject("silences"), summary.silences());
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
            statuses(kind.putObject("statuses"), outcome.statuses());
            silences(kind.putObject("silences"), outcome.silences());
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
            StringJoiner answers = new StringJoiner(", ");
            answers.setEmptyValue("none");
            add(answers, statusList(outcome.statuses(), true));
            add(answers, silenceList(outcome.silences()));
            line(out, outcome.kind(), outcome.sent(), answers.toString());
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

    private static String statusList(Map<Integer, Long> statuses, boolean with200) {
        StringJoiner list = new StringJoiner(", ");
        statuses.forEach((status, count) -> {
            if (with200 || status != 200) {
                list.add(status + ": " + count);
            }
        });
        return list.toString();
    }

    private static String silenceList(Map<Silence, Long> silences) {
        StringJoiner list = new StringJoiner(", ");
        silences.forEach((cause, count) -> list.add(cause.label() + ": " + count));
        return list.toString();
    }

    private static void add(StringJoiner joiner, String part) {
        if (!part.isEmpty()) {
            joiner.add(part);
        }
    }

    private static void statuses(ObjectNode node, Map<Integer, Long> statuses) {
        statuses.forEach((status, count) -> node.put(Integer.toString(status), count));
    }

    private static void silences(ObjectNode node, Map<Silence, Long> silences) {
        silences.forEach((cause, count) -> node.put(cause.label(), count));
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
