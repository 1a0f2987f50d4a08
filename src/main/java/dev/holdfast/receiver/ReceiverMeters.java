package dev.holdfast.receiver;

import dev.holdfast.push.Unreadable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the receiver counts: every request's answer by status, every refusal by cause, and what was odd about a push. */
final class ReceiverMeters {
    private final Counter received;
    private final Counter accepted;
    private final Counter duplicates;
    private final Counter late;
    private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
    private final Map<Refusal, Counter> replies = new EnumMap<>(Refusal.class);
    private final Map<Unreadable, Counter> unreadable = new EnumMap<>(Unreadable.class);

    ReceiverMeters(MeterRegistry registry, InFlight inFlight, Unverified unverified) {
        received = Counter.builder("holdfast.receiver.requests")
                .description("Requests whose head arrived")
                .register(registry);
        accepted = answer(registry, 200);
        duplicates = Counter.builder("holdfast.receiver.duplicates")
                .description("Pushes answered 200 whose bytes were already kept")
                .register(registry);
        late = Counter.builder("holdfast.receiver.stored.late")
                .description("Pushes answered 503 after the sync timeout that were stored after all")
                .register(registry);
        for (Refusal refusal : Refusal.values()) {
            refusals.put(refusal, refusal(registry, refusal.label()));
            replies.put(refusal, answer(registry, refusal.status()));
        }
        for (Unreadable cause : Unreadable.values()) {
            unreadable.put(
                    cause,
                    Counter.builder("holdfast.receiver.unreadable")
                            .description("Pushes answered 200 whose envelope could not be read, by cause")
                            .tag("cause", cause.label())
                            .register(registry));
        }
        registry.gauge("holdfast.receiver.inflight.bytes", inFlight, InFlight::bytes);
        registry.gauge("holdfast.receiver.waiting", inFlight, InFlight::waiting);
        room(registry, "large", unverified.large());
        room(registry, "small", unverified.small());
        room(registry, "unsigned", unverified.unsigned());
        registry.gauge("holdfast.receiver.unverified.waiting", unverified, Unverified::waiting);
    }

    private static Counter answer(MeterRegistry registry, int status) {
        return Counter.builder("holdfast.receiver.answers")
                .description("ReplyQueue by status")
                .tag("status", Integer.toString(status))
                .register(registry);
    }

    private static Counter refusal(MeterRegistry registry, String cause) {
        return Counter.builder("holdfast.receiver.refusals")
                .description("Requests that were not accepted, by cause")
                .tag("cause", cause)
                .register(registry);
    }

    private static void room(MeterRegistry registry, String name, Room room) {
        Gauge.builder("holdfast.receiver.unverified.bytes", room, Room::bytes)
                .description("Bytes of bodies that are still coming in")
                .tag("room", name)
                .register(registry);
    }

    void received() {
        received.increment();
    }

    void accepted() {
        accepted.increment();
    }

    void duplicate() {
        duplicates.increment();
    }

    /** A push was stored that had been answered otherwise before. */
    void storedLate() {
        late.increment();
    }

    void unreadable(Unreadable cause) {
        count(unreadable.get(cause));
    }

    void refused(Refusal refusal) {
        count(refusals.get(refusal));
        count(replies.get(refusal));
    }

    /** A request that ended before its body did, and that nobody waits for the answer of. */
    void incomplete() {
        count(refusals.get(Refusal.INCOMPLETE));
    }

    private static void count(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }
}
