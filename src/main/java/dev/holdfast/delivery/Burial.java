package dev.holdfast.delivery;

import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dead letters of what one consumer has failed for good. On the delivery's event loop. */
final class Burial {
    private static final Logger LOG = LoggerFactory.getLogger(Burial.class);

    private final String consumer;
    private final Parts parts;
    private final DeliveryMeters meters;
    private final LetterCount count;

    Burial(String consumer, Parts parts, DeliveryMeters meters, LetterCount count) {
        this.consumer = consumer;
        this.parts = parts;
        this.meters = meters;
        this.count = count;
    }

    /**
     * Takes the first push out of its lane when the dead letter is durable, never before: a failure of the future means
     * that it is still there. A push that nobody wants any more leaves without one.
     */
    Future<Void> of(Way way, Lane lane, Trouble trouble) {
        PushRecord push = lane.first();
        way.lanes().hold(lane);
        return Future.succeededFuture()
                .compose(v -> earlier(way, push))
                .compose(earlier -> keep(way, lane, push, trouble, earlier))
                .recover(failure -> {
                    way.lanes().ended(lane, List.of(push));
                    LOG.error("{}: no dead letter can be kept of {}", consumer, push, failure);
                    return Future.failedFuture(failure);
                });
    }

    /** The push's dead letter, where it comes again and is one already. */
    private Future<Optional<DeadLetter>> earlier(Way way, PushRecord push) {
        if (!way.comesAgain()) {
            return Future.succeededFuture(Optional.empty());
        }
        return parts.reader()
                .executeBlocking(() -> parts.store().deadLetters().list(consumer, push.seq(), 1), false)
                .map(found -> found.stream()
                        .filter(letter -> letter.consumer().equals(consumer)
                                && letter.push().seq() == push.seq())
                        .findFirst());
    }

    private Future<Void> keep(Way way, Lane lane, PushRecord push, Trouble trouble, Optional<DeadLetter> earlier) {
        if (way.isWithdrawn(push)) {
            out(way, lane);
            return Future.succeededFuture();
        }
        DeadLetter now = new DeadLetter(consumer, push, trouble.attempts(), trouble.first(), trouble.last());
        DeadLetter letter = earlier.map(now::after).orElse(now);
        count.moves();
        // In the chain, not beside it: what waits for this goes on with the lane as it is afterwards.
        return save(letter)
                .<Void>map(saved -> {
                    told(letter);
                    out(way, lane);
                    way.buried(push);
                    meters.buried();
                    return null;
                })
                .andThen((done, failure) -> {
                    if (failure != null && earlier.isEmpty()) {
                        way.unsaved(push);
                    }
                    count.moved();
                });
    }

    /** What the journal throws is a failure too. */
    private Future<Void> save(DeadLetter letter) {
        return Future.succeededFuture()
                .compose(v ->
                        Future.fromCompletionStage(parts.store().deadLetters().save(letter), parts.context()));
    }

    private void told(DeadLetter letter) {
        LOG.error(
                "{}: {} is a dead letter after {} attempts: {}",
                consumer,
                letter.push(),
                letter.attempts(),
                letter.last().error());
    }

    private static void out(Way way, Lane lane) {
        way.lanes().done(lane);
        way.lanes().ended(lane, List.of());
    }
}
