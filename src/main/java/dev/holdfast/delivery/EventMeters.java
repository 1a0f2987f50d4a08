package dev.holdfast.delivery;

import dev.holdfast.logging.Printable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A counter for each event. Events come from outside: the first {@value #MOST_NAMED} have one of their own, the others one
 * together. Any thread.
 */
final class EventMeters {
    private static final int MOST_NAMED = 50;

    private static final String OTHER = "other";
    private static final int LONGEST_NAME = 100;

    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final Counter other;

    EventMeters(MeterRegistry registry, String name, String description) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        other = counter(OTHER);
    }

    /** Returns whether it is the first of an event that has a counter of its own. */
    boolean count(String event) {
        boolean first = !counters.containsKey(event) && names(event);
        counters.getOrDefault(event, other).increment();
        return first;
    }

    private synchronized boolean names(String event) {
        return counters.size() < MOST_NAMED
                && event.length() <= LONGEST_NAME
                && counters.putIfAbsent(event, counter(Printable.line(event))) == null;
    }

    private Counter counter(String event) {
        return Counter.builder(name)
                .description(description)
                .tag("event", event)
                .register(registry);
    }
}
