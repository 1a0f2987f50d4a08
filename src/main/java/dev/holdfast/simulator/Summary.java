package dev.holdfast.simulator;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was sent and what came back, up to a moment.
 *
 * @param due pushes whose time had come
 * @param sent pushes that were handed to a connection
 * @param underWay pushes sent whose answer was still awaited
 * @param sending from the first push's time to the last one sent
 * @param rate pushes sent per second
 * @param outcomes by kind: the healthy ones first, then those with each fault that occurred
 * @param latency of answered pushes, those on connections of their own left out
 */
public record Summary(
        long due, long sent, long underWay, Duration sending, double rate, List<Outcome> outcomes, Latency latency) {
    public Summary {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * What became of one kind of pushes.
     *
     * @param kind {@code healthy} or the fault's label
     * @param owed200 whether only {@code 200} is a right answer to them
     * @param statuses how many were answered with which status
     * @param silences how many got no answer for which cause
     */
    public record Outcome(
            String kind, boolean owed200, long sent, SortedMap<Integer, Long> statuses, Map<Silence, Long> silences) {

        /** Pushes of this kind that were answered otherwise than with {@code 200}, or not at all. */
        public long without200() {
            long others = sum(statuses) - statuses.getOrDefault(200, 0L);
            return others + sum(silences);
        }
    }

    /** Percentiles in milliseconds from the time a push was due; all 0 when none was answered. */
    public record Latency(double p50, double p90, double p99, double p999, double max) {}

    /** How many were answered with which status, of all kinds. */
    public SortedMap<Integer, Long> statuses() {
        SortedMap<Integer, Long> all = new TreeMap<>();
        outcomes.forEach(outcome -> outcome.statuses().forEach((status, n) -> all.merge(status, n, Long::sum)));
        return all;
    }

    /** How many got no answer for which cause, of all kinds. */
    public Map<Silence, Long> silences() {
        Map<Silence, Long> all = new EnumMap<>(Silence.class);
        outcomes.forEach(outcome -> outcome.silences().forEach((cause, n) -> all.merge(cause, n, Long::sum)));
        return all;
    }

    /** Pushes that had to be answered {@code 200} and were not. */
    public long missed() {
        return outcomes.stream()
                .filter(Outcome::owed200)
                .mapToLong(Outcome::without200)
                .sum();
    }

    /** Pushes with a wrong signature that were answered {@code 200}: the receiver verifies nothing. */
    public long forgedTaken() {
        return outcomes.stream()
                .filter(outcome -> outcome.kind().equals(Fault.WRONG_SIGNATURE.toString()))
                .mapToLong(outcome -> outcome.statuses().getOrDefault(200, 0L))
                .sum();
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
