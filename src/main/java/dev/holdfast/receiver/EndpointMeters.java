package dev.holdfast.receiver;

import dev.holdfast.metrics.EndpointTraffic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is counted at one endpoint since the start, or of requests to no endpoint, whose name is empty. Any thread. */
final class EndpointMeters {
    private final MeterRegistry registry;
    private final String endpoint;
    private final Counter accepted;
    private final Counter duplicates;
    private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
    private final Map<Refusal, Counter> replies = new EnumMap<>(Refusal.class);
    /** In milliseconds since the epoch, as the next; 0: none yet. */
    private volatile long lastAcceptedAt;

    private volatile long openedAt;
    /** Registered while the endpoint is open: nobody waits for the next push of one that is not. */
    private @Nullable Meter lastAccepted;

    EndpointMeters(MeterRegistry registry, String endpoint) {
        this.registry = registry;
        this.endpoint = endpoint;
        accepted = answer(200);
        duplicates = counter(
                "duplicates", "Pushes answered 200 whose bytes were already kept; those are among the accepted");
        for (Refusal refusal : Refusal.values()) {
            refusals.put(
                    refusal,
                    counter("refusals", "Requests that were not accepted, by cause", "cause", refusal.label()));
            replies.put(refusal, answer(refusal.status()));
        }
    }

    /** It is open, since this time in milliseconds since the epoch where it was not before. By one thread at a time, as the next. */
    void opened(long now) {
        if (lastAccepted == null) {
            openedAt = now;
            lastAcceptedAt = 0;
            lastAccepted = TimeGauge.builder(
                            "holdfast.receiver.last.accepted.timestamp",
                            () -> lastAcceptedAt == 0 ? openedAt : lastAcceptedAt,
                            TimeUnit.MILLISECONDS)
                    .description("When the last push was accepted, or the endpoint opened where none was, as Unix time")
                    .tag("endpoint", endpoint)
                    .register(registry);
        }
    }

    void closed() {
        if (lastAccepted != null) {
            registry.remove(lastAccepted);
            lastAccepted = null;
        }
    }

    private Counter answer(int status) {
        return counter("answers", "Answers by status", "status", Integer.toString(status));
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder("holdfast.receiver." + name)
                .description(description)
                .tag("endpoint", endpoint)
                .tags(tags)
                .register(registry);
    }

    /** @param receivedAt in milliseconds since the epoch */
    void accepted(long receivedAt) {
        accepted.increment();
        // Also an earlier one: the clock may have been wrong before.
        lastAcceptedAt = receivedAt;
    }

    void duplicate() {
        duplicates.increment();
    }

    /** @param answered false: there is no answer, or nobody waits for it */
    void refused(Refusal refusal, boolean answered) {
        count(refusals, refusal);
        if (answered) {
            count(replies, refusal);
        }
    }

    private static void count(Map<Refusal, Counter> counters, Refusal refusal) {
        Objects.requireNonNull(counters.get(refusal)).increment();
    }

    EndpointTraffic traffic() {
        Map<String, Long> refused = new TreeMap<>();
        refusals.forEach((refusal, counter) -> {
            if (counter.count() > 0) {
                refused.put(refusal.label(), (long) counter.count());
            }
        });
        return new EndpointTraffic((long) accepted.count(), (long) duplicates.count(), refused, lastAcceptedAt);
    }
}
