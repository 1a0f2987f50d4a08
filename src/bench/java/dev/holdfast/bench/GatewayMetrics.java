package dev.holdfast.bench;

import java.util.List;
import java.util.function.Predicate;

/** The gateway's counters as its management port shows them. The only place that knows what they are called. */
final class GatewayMetrics {
    /** Pushes a consumer has not handled yet; one series per consumer. */
    private static final String LAG = "holdfast_consumer_lag_pushes{";
    /** Pushes a consumer has handled since the start; one series per consumer. */
    private static final String DELIVERED = "holdfast_consumer_delivered_total{";
    /** The newest durable position. Without gaps from 1, so that it is the number of pushes in a new journal. */
    private static final String LAST_SEQ = "holdfast_journal_last_seq";

    private final LocalHttp http;
    private final int port;
    private final int consumers;

    GatewayMetrics(LocalHttp http, int port, int consumers) {
        this.http = http;
        this.port = port;
        this.consumers = consumers;
    }

    boolean ready() {
        return http.get(port, "/readyz").statusCode() == 200;
    }

    /** Pushes not handled yet, all consumers together. */
    long backlog() {
        return ofConsumers(LAG);
    }

    /** Pushes handled since the start, all consumers together. */
    long delivered() {
        return ofConsumers(DELIVERED);
    }

    private long ofConsumers(String series) {
        List<Double> found = values(line -> line.startsWith(series));
        if (found.size() != consumers) {
            throw new IllegalStateException(
                    "found " + found.size() + " series " + series + "...} in /metrics, expected " + consumers);
        }
        return (long) found.stream().mapToDouble(Double::doubleValue).sum();
    }

    long lastSeq() {
        List<Double> found = values(line -> line.startsWith(LAST_SEQ + " ") || line.startsWith(LAST_SEQ + "{"));
        if (found.size() != 1) {
            throw new IllegalStateException(
                    "found " + found.size() + " series " + LAST_SEQ + " in /metrics, expected 1");
        }
        return found.get(0).longValue();
    }

    private List<Double> values(Predicate<String> wanted) {
        return http.get(port, "/metrics")
                .body()
                .lines()
                .filter(wanted)
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                .toList();
    }
}
