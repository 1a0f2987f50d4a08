package dev.holdfast.delivery;

import dev.holdfast.journal.DeadLetter;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dead letters of what one consumer has failed for good. On the delivery's event loop. */
final class Burial {
    private static final Logger LOG = LoggerFactory.getLogger(Burial.class);

    private final String consumer;
    private final Parts parts;
    private final Lanes lanes;
    private final DeliveryMeters meters;

    Burial(String consumer, Parts parts, Lanes lanes, DeliveryMeters meters) {
        this.consumer = consumer;
        this.parts = parts;
        this.lanes = lanes;
        this.meters = meters;
    }

    /**
     * Takes the first push out of its lane when the dead letter is durable, never before: a failure of the future means
     * that it is still there.
     */
    Future<Void> of(Lane lane, Trouble trouble) {
        Parcel parcel = lanes.hold(lane);
        DeadLetter letter =
                new DeadLetter(consumer, parcel.push(), trouble.attempts(), trouble.first(), trouble.last());
        return Future.fromCompletionStage(parts.journal().saveDeadLetter(letter), parts.context())
                .onSuccess(saved -> done(lane, letter))
                .onFailure(failure -> {
                    lanes.ended(lane, List.of(parcel));
                    LOG.error("{}: no dead letter can be kept of {}", consumer, parcel.push(), failure);
                });
    }

    private void done(Lane lane, DeadLetter letter) {
        LOG.error(
                "{}: {} is a dead letter after {} attempts: {}",
                consumer,
                letter.push(),
                letter.attempts(),
                letter.last().error());
        Parcel parcel = lanes.done(lane);
        lanes.ended(lane, List.of());
        meters.buried(!parcel.isErrand() || parcel.replay());
        parcel.tell(false);
    }
}
