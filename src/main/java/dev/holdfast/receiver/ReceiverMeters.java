package dev.holdfast.receiver;

import dev.holdfast.metrics.EndpointTraffic;
import dev.holdfast.push.Unreadable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the receiver counts: every request's answer by endpoint, every refusal by cause, and what was odd about a push. */
final class ReceiverMeters {
    private final MeterRegistry registry;
    private final Counter received;
    private final Counter late;
    private final Map<String, EndpointMeters> endpoints = new ConcurrentHashMap<>();
    private final Map<Unreadable, Counter> unreadable = new EnumMap<>(Unreadable.class);

    ReceiverMeters(MeterRegistry registry, InFlight inFlight, Room large, Holdings unsigned, Streams streams) {
        this.registry = registry;
        received = Counter.builder("holdfast.receiver.requests")
                .description("Requests whose head arrived")
                .register(registry);
        late = Counter.builder("holdfast.receiver.stored.late")
                .description("Pushes answered 503 after the sync timeout that were stored after all")
                .register(registry);
        for (Unreadable cause : Unreadable.values()) {
            unreadable.put(
                    cause,
                    Counter.builder("holdfast.receiver.unreadable")
                            .description("Pushes answered 200 whose envelope could not be read, by cause")
                            .tag("cause", cause.label())
                            .register(registry));
        }
        gauge("inflight", "Verified pushes that are not answered yet, and what they take beside", inFlight::bytes)
                .baseUnit("bytes")
                .register(registry);
        gauge("waiting.requests", "Requests that wait for pushes in flight to be answered", inFlight::waiting)
                .register(registry);
        room("large", large::bytes);
        room("unsigned", unsigned::bytes);
        gauge("streams", "Streams of HTTP/2 that are open", streams::count).register(registry);
        gauge("unverified.waiting.requests", "Large bodies that wait for room", large::waiting)
                .register(registry);
    }

    private static Gauge.Builder<Supplier<Number>> gauge(String name, String description, Supplier<Number> value) {
        return Gauge.builder("holdfast.receiver." + name, value).description(description);
    }

    private void room(String name, Supplier<Number> bytes) {
        gauge("unverified", "Bytes of bodies that are still coming in", bytes)
                .baseUnit("bytes")
                .tag("room", name)
                .register(registry);
    }

    /** @param name empty: requests to no endpoint */
    EndpointMeters endpoint(String name) {
        return endpoints.computeIfAbsent(name, fresh -> new EndpointMeters(registry, fresh));
    }

    /** Of all endpoints, with those that are gone, and of requests to none. */
    EndpointTraffic traffic() {
        return endpoints.values().stream()
                .map(EndpointMeters::traffic)
                .reduce(new EndpointTraffic(0, 0, Map.of(), 0), EndpointTraffic::plus);
    }

    /** These are open now, and no others: each has its series before its first request. */
    void opened(Set<String> names, long now) {
        names.forEach(name -> endpoint(name).opened(now));
        endpoints.forEach((name, meters) -> {
            if (!names.contains(name)) {
                meters.closed();
            }
        });
    }

    void received() {
        received.increment();
    }

    /** A push was stored that had been answered otherwise before. */
    void storedLate() {
        late.increment();
    }

    void unreadable(Unreadable cause) {
        Objects.requireNonNull(unreadable.get(cause)).increment();
    }
}
