package dev.holdfast.delivery;

import dev.holdfast.journal.OrderedPushes;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.DeadLetters;
import dev.holdfast.store.Replay;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer's part of a replay: pushes of the journal, or dead letters. A push is sent once the live feed has done it, in turns
 * with what waits there; where it fails, only later pushes of its lane in this replay wait. On the delivery's event loop.
 */
final class ReplayFeed extends Feed {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayFeed.class);

    private final Replay replay;
    private final String consumer;
    private final LiveFeed live;
    private long delivered;
    private long failed;

    ReplayFeed(Replay replay, Replay.Progress from, Resumption start, OrderedPushes source, LiveFeed live) {
        super(
                replay.source() == Replay.Source.JOURNAL ? Kind.REPLAY : Kind.RETRY,
                start,
                source,
                live.limits().ofReplay(),
                replay.rate(),
                replay.rate(),
                live.shared());
        this.replay = replay;
        this.consumer = from.consumer();
        this.live = live;
        this.delivered = from.delivered();
        this.failed = from.failed();
    }

    /** Where a consumer's part of a replay is read. */
    static OrderedPushes source(Replay replay, String consumer, DeliveryContext delivery) {
        DeadLetters letters = delivery.store().deadLetters();
        return replay.source() == Replay.Source.JOURNAL
                ? delivery.journal()
                : (from, maxPushes, maxBytes) -> letters.list(consumer, from, maxPushes).stream()
                        .map(DeadLetter::push)
                        .toList();
    }

    /** How far it has come. */
    Replay.Progress progress() {
        return new Replay.Progress(consumer, isDone() ? replay.filter().to() + 1 : next(), delivered, failed);
    }

    private long next() {
        return Math.min(checkpoints().position() + 1, lanes().lowestUndone());
    }

    boolean isDone() {
        return checkpoints().front() >= replay.filter().to() && lanes().size() == 0;
    }

    @Override
    long end() {
        return Math.min(replay.filter().to(), live.checkpoints().front());
    }

    /** Of its dead letters a consumer gets those as well that it is no longer subscribed to. */
    @Override
    boolean wants(PushRecord push) {
        return replay.filter().matches(push) && (kind() == Kind.RETRY || shared().wants(push));
    }

    @Override
    long closedFrom(String lane) {
        return Math.min(checkpoints().front() + 1, live.lanes().undoneFrom(lane));
    }

    @Override
    boolean isLimited() {
        return replay.rate() < Integer.MAX_VALUE;
    }

    /** A dead letter that was handled is none any more; were it one still, another retry would bring it again. */
    @Override
    Future<Void> handled(List<PushRecord> pushes) {
        delivered += pushes.size();
        if (kind() == Kind.REPLAY) {
            return Future.succeededFuture();
        }
        DeliveryContext delivery = shared().delivery();
        DeadLetters letters = delivery.store().deadLetters();
        return Future.join(pushes.stream()
                        .map(push -> delivery.durable(letters.remove(consumer, push.seq())))
                        .toList())
                .<Void>mapEmpty()
                .otherwise(failure -> {
                    LOG.atError()
                            .addKeyValue("consumer", consumer)
                            .setCause(failure)
                            .log("{}: retried pushes are handled, but their dead letters can't be removed", consumer);
                    return null;
                });
    }

    @Override
    void deadLettered() {
        failed++;
    }
}
