package dev.holdfast;

import dev.holdfast.delivery.DeadLetterOperations;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.management.DeadLetterControl;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetterFilter;
import io.vertx.core.Future;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The delivery's dead letters, for the management API. */
record LiveDeadLetters(Delivery delivery) implements DeadLetterControl {
    private static final Logger LOG = LoggerFactory.getLogger(LiveDeadLetters.class);

    @Override
    public Future<SortedSet<String>> consumers() {
        return delivery.deadLetters().consumers();
    }

    @Override
    public <T> Future<List<T>> list(
            DeadLetterFilter filter, String consumer, long seq, int max, Function<DeadLetter, T> part) {
        return delivery.deadLetters().list(filter, consumer, seq, max, part);
    }

    @Override
    public Future<Retry> retry(DeadLetterFilter filter) {
        DeadLetterOperations letters = delivery.deadLetters();
        return letters.staying(filter)
                .compose(staying -> letters.retry(filter)
                        .map(count -> new Retry(
                                count,
                                staying.entrySet().stream()
                                        .map(one -> staying(one.getKey(), one.getValue()))
                                        .toList())))
                .map(retry -> {
                    log(filter, retry);
                    return retry;
                });
    }

    private Staying staying(String consumer, long count) {
        boolean configured = delivery.deadLetters().isConfigured(consumer);
        return new Staying(consumer, count, configured ? "it is not running" : "it is not configured");
    }

    private static void log(DeadLetterFilter filter, Retry retry) {
        LOG.info(
                "{} dead letters are retried, {} stay: of {}, positions {} to {}, {}",
                retry.retrying(),
                retry.staying().stream().mapToLong(Staying::count).sum(),
                filter.consumer() == null ? "every consumer" : filter.consumer(),
                filter.from(),
                filter.to() == Long.MAX_VALUE ? "the last" : filter.to(),
                filter.event() == null ? "every event" : filter.event());
    }

    @Override
    public Future<Long> discard(DeadLetterFilter filter, String reason) {
        return delivery.deadLetters().discard(filter, reason);
    }
}
