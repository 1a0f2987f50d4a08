package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One {@link PushBatch} on its way through a consumer: its pushes are handled in turn, on the consumer's context. */
final class Handling {
    /** The rest of a batch goes back after this long, so that what was handled is acknowledged in time. */
    private static final long SHARE_NANOS = 100_000_000L;

    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final PushConsumer consumer;
    private final Message<PushBatch> message;
    private final List<Push> pushes;
    private final long started = System.nanoTime();
    private int handled;

    Handling(PushConsumer consumer, Message<PushBatch> message) {
        this.consumer = consumer;
        this.message = message;
        this.pushes = message.body().pushes();
    }

    /** Goes on while handling completes at once, and comes back when a pending one does. */
    void run() {
        while (goesOn()) {
            Future<?> attempt = attempt(pushes.get(handled));
            if (!attempt.isComplete()) {
                await(attempt);
                return;
            }
            if (attempt.failed()) {
                reply(attempt.cause());
                return;
            }
            handled++;
        }
        reply(null);
    }

    private boolean goesOn() {
        return handled < pushes.size()
                && !message.body().withdrawn()
                && (handled == 0 || System.nanoTime() - started < SHARE_NANOS);
    }

    private Future<?> attempt(Push push) {
        try {
            Future<?> attempt = consumer.handle(push);
            return attempt != null
                    ? attempt
                    : Future.failedFuture(new IllegalStateException("handle returned null (expected: a Future)"));
        } catch (Throwable e) {
            return Future.failedFuture(e);
        }
    }

    private void await(Future<?> attempt) {
        attempt.timeout(consumer.consumer().timeout().toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(done -> consumer.onContext(() -> completed(done)));
    }

    /** Back on the consumer's context, wherever the future was completed. */
    private void completed(AsyncResult<?> done) {
        if (done.failed()) {
            reply(done.cause());
        } else {
            handled++;
            run();
        }
    }

    private void reply(@Nullable Throwable failure) {
        message.reply(new Receipt(handled, failure), LOCAL);
    }
}
