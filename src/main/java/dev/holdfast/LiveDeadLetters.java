package dev.holdfast;

import dev.holdfast.delivery.Delivery;
import dev.holdfast.journal.DeadLetter;
import dev.holdfast.journal.DeadLetterFilter;
import dev.holdfast.management.DeadLetterControl;
import io.vertx.core.Future;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;

/** The delivery's dead letters, for the management API. */
record LiveDeadLetters(Delivery delivery) implements DeadLetterControl {
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
    public Future<Long> retry(DeadLetterFilter filter) {
        return delivery.deadLetters().retry(filter);
    }

    @Override
    public Future<Long> discard(DeadLetterFilter filter, String reason) {
        return delivery.deadLetters().discard(filter, reason);
    }
}
