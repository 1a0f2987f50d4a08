package dev.holdfast.delivery;

import dev.holdfast.logging.Counted;
import dev.holdfast.push.LogFields;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dead letters of what one consumer has failed for good. On the delivery's event loop. */
final class DeadLetterWriter {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterWriter.class);

    private final String consumer;
    private final DeliveryContext delivery;
    private final DeliveryMeters meters;

    DeadLetterWriter(String consumer, DeliveryContext delivery, DeliveryMeters meters) {
        this.consumer = consumer;
        this.delivery = delivery;
        this.meters = meters;
    }

    /**
     * Succeeds when the dead letter is durable, never before: then the lane may move on.
     *
     * @param kind unless it is {@code LIVE} there may be a dead letter of it already, whose first failure and attempts are kept; a
     *     {@code RETRY} without one was discarded meanwhile, and becomes none
     */
    Future<Void> write(PushRecord push, RetryState retry, Feed.Kind kind) {
        DeadLetter letter = new DeadLetter(consumer, push, retry.attempts(), retry.first(), retry.last());
        Future<Optional<DeadLetter>> earlier =
                kind == Feed.Kind.LIVE ? Future.succeededFuture(Optional.empty()) : earlier(push.seq());
        return earlier.compose(found -> found.isEmpty() && kind == Feed.Kind.RETRY
                        ? Future.succeededFuture()
                        : save(found.map(before -> after(before, letter)).orElse(letter), kind))
                .andThen((saved, failure) -> {
                    if (failure != null) {
                        LogFields.of(LOG.atError(), consumer, push)
                                .setCause(failure)
                                .log("{}: the dead letter of {} can't be stored", consumer, push);
                    }
                });
    }

    /** Where a crash came between a letter and its checkpoint, the letter before has counted the attempts made until then. */
    private static DeadLetter after(DeadLetter before, DeadLetter letter) {
        int more = before.last().at() >= letter.first().at() ? 1 : letter.attempts();
        return new DeadLetter(
                letter.consumer(), letter.push(), before.attempts() + more, before.first(), letter.last());
    }

    private Future<Optional<DeadLetter>> earlier(long seq) {
        return delivery.reading(() -> delivery.store().deadLetters().get(consumer, seq));
    }

    /** One that is retried may also have been discarded since it was looked up. */
    private Future<Void> save(DeadLetter letter, Feed.Kind kind) {
        DeadLetters letters = delivery.store().deadLetters();
        return delivery.durable(kind == Feed.Kind.RETRY ? letters.replace(letter) : letters.save(letter))
                .map(saved -> {
                    LogFields.of(LOG.atError(), consumer, letter.push())
                            .log(
                                    "{}: {} is a dead letter after {}: {}",
                                    consumer,
                                    letter.push(),
                                    Counted.of(letter.attempts(), "attempt"),
                                    letter.last().error());
                    meters.deadLettered.increment();
                    return null;
                });
    }
}
