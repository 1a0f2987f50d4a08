package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.PushSearch;
import dev.holdfast.management.PushControl;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Replay;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The pushes in the journal and their replays, for the management API. */
record LivePushes(Vertx vertx, PushSearch pushes, Delivery delivery) implements PushControl {
    @Override
    public <T> Future<List<T>> list(PushFilter filter, int max, Function<PushRecord, T> part) {
        return vertx.executeBlocking(() -> pushes.list(filter, max, part), false);
    }

    @Override
    public Future<Count> count(PushFilter filter, @Nullable String consumer) {
        Map<String, Predicate<String>> wants = delivery.wants();
        if (consumer != null && !wants.containsKey(consumer)) {
            return Future.failedFuture(new IllegalArgumentException("consumer: found " + consumer
                    + ", expected one that is running: " + new TreeSet<>(wants.keySet())));
        }
        Collection<Predicate<String>> consumers = consumer == null ? wants.values() : List.of(wants.get(consumer));
        return vertx.executeBlocking(() -> count(filter, consumers), false);
    }

    private Count count(PushFilter filter, Collection<Predicate<String>> consumers) {
        long[] counts = {0, 0};
        pushes.walk(filter, push -> {
            String event = push.envelope().event();
            long deliveries =
                    consumers.stream().filter(wants -> wants.test(event)).count();
            counts[0] += deliveries > 0 ? 1 : 0;
            counts[1] += deliveries;
            return true;
        });
        return new Count(counts[0], counts[1]);
    }

    @Override
    public Future<Replay> replay(PushFilter filter, @Nullable String consumer, int rate) {
        return delivery.replays().start(filter, consumer, rate);
    }

    @Override
    public Future<List<ReplayState>> replays() {
        return delivery.replays().states();
    }

    @Override
    public Future<Boolean> stopReplay(String id) {
        return delivery.replays().stop(id);
    }
}
