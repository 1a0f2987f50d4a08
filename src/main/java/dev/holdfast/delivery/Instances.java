package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.PushBatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A consumer's instances on the bus, and the batches that each has under way. On the delivery's event loop. */
final class Instances {
    /**
     * A consumer times its own calls, that of a push and that of the commit behind it; beyond both, this is for one that
     * doesn't come back at all.
     */
    private static final long GRACE_MILLIS = 5_000;
    /**
     * How long past its timeout a call is waited for: where its thread is free, the consumer fails it itself. When this thread stood
     * still for longer, so may theirs have, and an answer may not have got here yet.
     */
    private static final Duration LATE = Duration.ofMillis(500);

    private static final Comparator<Instance> FREEST_FIRST =
            Comparator.comparing(Instance::isBlocked).thenComparingInt(instance -> instance.underWay.size());

    private final Vertx vertx;
    private final Duration timeout;
    private final DeliveryOptions options;
    private final List<Instance> instances;

    private long tickedAt = System.nanoTime();
    private long stoodStillAt = tickedAt;

    private static final class Instance {
        final String address;
        /** What is awaited, and the batch that was sent for it. */
        final Map<Promise<Object>, PushBatch> underWay = new HashMap<>();
        /**
         * The last one, where nothing came back of it: until it ends something keeps the thread, be it one that was sent before.
         */
        @Nullable
        PushBatch missed;

        Instance(String address) {
            this.address = address;
        }

        boolean isBlocked() {
            return missed != null && !missed.hasEnded();
        }
    }

    Instances(ConsumerConfig config, ConsumerContext consumer, Vertx vertx) {
        this.vertx = vertx;
        this.timeout = config.timeout();
        this.options = new DeliveryOptions().setLocalOnly(true).setSendTimeout(2 * timeout.toMillis() + GRACE_MILLIS);
        this.instances = IntStream.range(0, config.instances())
                .mapToObj(number -> new Instance(consumer.address(number)))
                .toList();
    }

    /**
     * Sends a batch to the one with the fewest, to a blocked one only where all are, and gives what comes back. Fails with a
     * {@link TimeoutException} where nothing does.
     */
    Future<Object> request(PushBatch batch) {
        Instance instance = Collections.min(instances, FREEST_FIRST);
        Promise<Object> answer = Promise.promise();
        instance.underWay.put(answer, batch);
        vertx.eventBus()
                .request(instance.address, batch, options)
                .map(Message::body)
                .onComplete(answer::tryComplete, failure -> answer.tryFail(inWords(failure)));
        return answer.future().andThen((came, failure) -> {
            instance.underWay.remove(answer);
            instance.missed = failure instanceof TimeoutException ? batch : null;
        });
    }

    /** The bus speaks of its own addresses, which tell nobody anything. */
    private Throwable inWords(Throwable failure) {
        if (!(failure instanceof ReplyException reply)) {
            return failure;
        }
        return switch (reply.failureType()) {
            case TIMEOUT -> timedOut();
            case NO_HANDLERS ->
                VertxException.noStackTrace(
                        "its verticle has been undeployed, and is back after a restart of the gateway");
            default -> failure;
        };
    }

    private TimeoutException timedOut() {
        return new TimeoutException("not done within " + timeout.toMillis() + " ms");
    }

    /** Takes back what the consumer has not begun: whoever goes on from here sends it again. */
    void withdraw() {
        instances.forEach(instance -> instance.underWay.values().forEach(PushBatch::withdraw));
    }

    /** Whether something keeps the thread of each, so that nothing more reaches them. */
    boolean areBlocked() {
        return instances.stream().allMatch(Instance::isBlocked);
    }

    /** Now and then, fails the calls that have blocked their own thread for too long, which the consumer can't. */
    void tick() {
        long now = System.nanoTime();
        stoodStillAt = now - tickedAt > LATE.toNanos() ? now : stoodStillAt;
        tickedAt = now;
        long tooLong = timeout.plus(LATE).toNanos();
        if (now - stoodStillAt <= tooLong) {
            return;
        }
        instances.forEach(instance -> giveUp(instance, tooLong));
    }

    private void giveUp(Instance instance, long tooLong) {
        Map.copyOf(instance.underWay).forEach((answer, batch) -> {
            if (batch.isStuck(tooLong)) {
                answer.tryFail(timedOut());
            }
        });
    }
}
