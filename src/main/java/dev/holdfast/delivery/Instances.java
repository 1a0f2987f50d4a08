package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A consumer's instances on the bus, and the batches that each has under way. On the delivery's event loop. */
final class Instances {
    /**
     * A consumer times its own calls, that of a push and that of the commit behind it; beyond both, this is for one that
     * doesn't come back at all.
     */
    private static final long GRACE_MILLIS = 5_000;
    /**
     * By so much a consumer tells sooner that a call has taken too long, where it can. When this thread stands still for longer,
     * so may theirs, and an answer may not have got here yet.
     */
    private static final Duration LATE = Duration.ofMillis(500);

    private final ConsumerContext consumer;
    private final Vertx vertx;
    private final Duration timeout;
    private final DeliveryOptions options;
    /** How many batches each has. */
    private final int[] atWork;
    /** What is awaited, and the batch that was sent for it. */
    private final Map<Promise<Object>, PushBatch> underWay = new HashMap<>();

    private long tickedAt = System.nanoTime();
    private long stoodStillAt = tickedAt;

    Instances(ConsumerConfig config, ConsumerContext consumer, Vertx vertx) {
        this.consumer = consumer;
        this.vertx = vertx;
        this.timeout = config.timeout();
        this.options = new DeliveryOptions().setLocalOnly(true).setSendTimeout(2 * timeout.toMillis() + GRACE_MILLIS);
        this.atWork = new int[config.instances()];
    }

    /** Sends a batch to the one with the fewest, and gives what comes back. */
    Future<Object> request(PushBatch batch) {
        int instance = leastBusy();
        Promise<Object> answer = Promise.promise();
        atWork[instance]++;
        underWay.put(answer, batch);
        vertx.eventBus()
                .request(consumer.address(instance), batch, options)
                .map(Message::body)
                .onComplete(answer::tryComplete, answer::tryFail);
        return answer.future().andThen((came, failure) -> {
            atWork[instance]--;
            underWay.remove(answer);
        });
    }

    private int leastBusy() {
        int least = 0;
        for (int i = 1; i < atWork.length; i++) {
            least = atWork[i] < atWork[least] ? i : least;
        }
        return least;
    }

    /** Now and then: a consumer can't time a call that blocks its own thread. */
    void tick() {
        long now = System.nanoTime();
        stoodStillAt = now - tickedAt > LATE.toNanos() ? now : stoodStillAt;
        tickedAt = now;
        long tooLong = timeout.plus(LATE).toNanos();
        if (now - stoodStillAt <= tooLong) {
            return;
        }
        List.copyOf(underWay.entrySet()).forEach(one -> {
            if (one.getValue().isStuck(tooLong)) {
                one.getKey().tryFail(new TimeoutException("not done within " + timeout.toMillis() + " ms"));
            }
        });
    }
}
