package dev.holdfast.gateway;

import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What {@link RecordingConsumer}s were given, and how they are to behave. Outlives gateways. */
final class Deliveries {
    private static final Map<String, Deliveries> ALL = new ConcurrentHashMap<>();

    private final String key = UUID.randomUUID().toString();
    private final List<Push> attempts = Collections.synchronizedList(new ArrayList<>());
    private final List<Push> handled = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<Push, Future<?>> behaviour = push -> Future.succeededFuture();

    Deliveries() {
        ALL.put(key, this);
    }

    static Deliveries of(String key) {
        return Objects.requireNonNull(ALL.get(key));
    }

    String key() {
        return key;
    }

    /** What a consumer is to do with a push from now on; it was recorded as an attempt before. */
    Deliveries behave(Function<Push, Future<?>> behaviour) {
        this.behaviour = behaviour;
        return this;
    }

    Future<?> attempt(Push push) {
        attempts.add(push);
        threads.add(Thread.currentThread());
        Future<?> outcome = behaviour.apply(push);
        if (outcome != null) {
            outcome.onSuccess(done -> handled.add(push));
        }
        return outcome;
    }

    List<Push> attempts() {
        return List.copyOf(attempts);
    }

    List<Push> handled() {
        return List.copyOf(handled);
    }

    /** The threads that attempts were made on, in their order. */
    List<Thread> threads() {
        return List.copyOf(threads);
    }

    List<Long> attemptedSeqs() {
        return attempts().stream().map(Push::seq).toList();
    }

    List<Long> handledSeqs() {
        return handled().stream().map(Push::seq).toList();
    }

    List<String> bodies() {
        return handled().stream().map(push -> push.body().toString()).toList();
    }

    List<String> events() {
        return handled().stream().map(Push::event).toList();
    }
}
