package dev.holdfast.delivery;

import dev.holdfast.consumer.PushBatch;
import dev.holdfast.consumer.Receipt;
import dev.holdfast.push.Push;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The pushes of one consumer that must stay in order. At most one batch of them is under way; a failed push is tried again
 * before anything behind it.
 */
final class Lane {
    private static final int MAX_BATCH = 256;
    private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;

    private final LaneKey key;
    private final Subscription subscription;
    private final Deque<Item> waiting = new ArrayDeque<>();
    /** A batch is under way, or the first push waits for its next attempt. */
    private boolean busy;

    Lane(LaneKey key, Subscription subscription) {
        this.key = key;
        this.subscription = subscription;
    }

    void add(Item item) {
        waiting.add(item);
    }

    LaneKey key() {
        return key;
    }

    /** Sends the next batch unless one is under way. */
    void run() {
        if (busy || waiting.isEmpty() || subscription.isHeld()) {
            return;
        }
        busy = true;
        PushBatch batch = nextBatch();
        subscription.send(batch).onSuccess(this::take).onFailure(failure -> missed(batch, failure));
    }

    /** No receipt came in time. What waited behind other lanes and was never begun has not failed. */
    private void missed(PushBatch batch, Throwable failure) {
        boolean begun = !batch.withdraw();
        boolean late = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT;
        take(new Receipt(0, begun || !late ? failure : null));
    }

    private PushBatch nextBatch() {
        List<Push> pushes = new ArrayList<>();
        long bytes = 0;
        Iterator<Item> items = waiting.iterator();
        while (items.hasNext() && pushes.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
            Item item = items.next();
            bytes += item.push().body().length;
            pushes.add(subscription.push(item));
        }
        return new PushBatch(pushes);
    }

    private void take(Receipt receipt) {
        for (int i = 0; i < receipt.handled(); i++) {
            subscription.handled(waiting.removeFirst());
        }
        Throwable failure = receipt.failure();
        if (failure != null) {
            subscription.retryLater(waiting.getFirst(), failure, this::release);
        } else {
            release();
        }
        subscription.advanced(receipt.handled());
    }

    private void release() {
        busy = false;
        if (waiting.isEmpty()) {
            subscription.emptied(this);
        } else {
            run();
        }
    }
}
