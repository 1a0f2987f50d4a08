package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter;
import dev.holdfast.push.PushRecord;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dead letters of what one consumer has failed for good. On the delivery's event loop. */
final class Burial {
    private static final Logger LOG = LoggerFactory.getLogger(Burial.class);

    private final String consumer;
    private final Parts parts;
    private final DeliveryMeters meters;

    Burial(String consumer, Parts parts, DeliveryMeters meters) {
        this.consumer = consumer;
        this.parts = parts;
        this.meters = meters;
    }

    /**
     * Takes the first push out of its lane when the dead letter is durable, never before: a failure of the future means
     * that it is still there. A push that nobody wants any more leaves without one.
     */
    Future<Void> of(Way way, Lane lane, Trouble trouble) {
        way.lanes().hold(lane);
        PushRecord push = lane.first();
        if (way.isWithdrawn(push)) {
            out(way, lane);
            return Future.succeededFuture();
        }
        DeadLetter letter = new DeadLetter(consumer, push, trouble.attempts(), trouble.first(), trouble.last());
        way.letters().moves();
        return Future.fromCompletionStage(parts.journal().saveDeadLetter(letter), parts.context())
                .onComplete(done -> way.letters().moved())
                .onSuccess(saved -> {
                    told(letter);
                    out(way, lane);
                    meters.buried(way.buried(push));
                })
                .onFailure(failure -> {
                    way.lanes().ended(lane, List.of(push));
                    LOG.error("{}: no dead letter can be kept of {}", consumer, push, failure);
                });
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
