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
        way.lanes().hold(lane);
        PushRecord push = lane.first();
        DeadLetter letter = new DeadLetter(consumer, push, trouble.attempts(), trouble.first(), trouble.last());
        return whole(way, letter).compose(whole -> keep(way, lane, whole)).onFailure(failure -> {
            way.lanes().ended(lane, List.of(push));
            LOG.error("{}: no dead letter can be kept of {}", consumer, push, failure);
        });
    }

    /** With what went wrong before, where the push is a dead letter already. */
    private Future<DeadLetter> whole(Way way, DeadLetter letter) {
        if (!way.comesAgain()) {
            return Future.succeededFuture(letter);
        }
        long seq = letter.push().seq();
        return parts.reader()
                .executeBlocking(() -> parts.journal().deadLetters(consumer, seq, 1), false)
                .map(found -> found.stream()
                        .filter(earlier -> earlier.consumer().equals(consumer)
                                && earlier.push().seq() == seq)
                        .findFirst()
                        .map(letter::after)
                        .orElse(letter));
    }

    private Future<Void> keep(Way way, Lane lane, DeadLetter letter) {
        PushRecord push = letter.push();
        if (way.isWithdrawn(push)) {
            out(way, lane);
            return Future.succeededFuture();
        }
        count.moves();
        return Future.fromCompletionStage(parts.journal().saveDeadLetter(letter), parts.context())
                .onSuccess(saved -> {
                    told(letter);
                    out(way, lane);
                    way.buried(push);
                    meters.buried();
                })
                .onComplete(done -> count.moved());
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
