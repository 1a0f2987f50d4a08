package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One {@link PushBatch} on its way through a consumer: its pushes are handled in turn, on the consumer's context. */
final class BatchExecution {
    /** What is called of a consumer. */
    interface Calls {
        String name();

        Future<?> handle(Push push);

        Future<?> commit();
    }

    private static final Logger LOG = LoggerFactory.getLogger(BatchExecution.class);
    /** The rest of a batch goes back after this long, so that what was handled is acknowledged in time. */
    private static final long SHARE_NANOS = 100_000_000L;

    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final Calls consumer;
    private final Message<PushBatch> message;
    private final List<Push> pushes;
    private final Vertx vertx;
    private final Context context;
    private final Duration timeout;
    private final long started = System.nanoTime();
    private int handled;

    /** @param timeout of each call */
    BatchExecution(Calls consumer, Message<PushBatch> message, Vertx vertx, Context context, Duration timeout) {
        this.consumer = consumer;
        this.message = message;
        this.pushes = message.body().pushes();
        this.vertx = vertx;
        this.context = context;
        this.timeout = timeout;
    }

    /** Goes on while handling completes at once, and comes back when a pending one does. */
    void run() {
        while (goesOn()) {
            Future<?> attempt = attempt(pushes.get(handled));
            if (!attempt.isComplete()) {
                await(attempt, this::completed);
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
                && (handled == 0 || System.nanoTime() - started < SHARE_NANOS)
                && message.body().begin();
    }

    private Future<?> attempt(Push push) {
        return called("handle", () -> consumer.handle(push));
    }

    /** What a method of the consumer's returns; whatever else it does is a failure. */
    private static Future<?> called(String method, Supplier<Future<?>> call) {
        try {
            Future<?> returned = call.get();
            return returned != null
                    ? returned
                    : Future.failedFuture(new IllegalStateException(method + " returned null (expected: a Future)"));
        } catch (Throwable e) {
            return Future.failedFuture(e);
        }
    }

    private void completed(AsyncResult<?> done) {
        if (done.failed()) {
            reply(done.cause());
        } else {
            handled++;
            run();
        }
    }

    /** Once what was handled is committed. */
    private void reply(@Nullable Throwable failure) {
        message.body().calls();
        Future<?> commit = handled == 0 ? Future.succeededFuture() : called("commit", consumer::commit);
        if (commit.isComplete()) {
            acknowledge(commit, failure);
        } else {
            await(commit, done -> acknowledge(done, failure));
        }
    }

    /** No longer than the timeout; {@code then} is called on the consumer's context, wherever this one ends. */
    private void await(Future<?> pending, Consumer<AsyncResult<?>> then) {
        Promise<Object> first = Promise.promise();
        // Not Future.timeout(), which may take a timer of another thread's.
        long timer = vertx.setTimer(
                timeout.toMillis(),
                late -> first.tryFail(new TimeoutException("not done within " + timeout.toMillis() + " ms")));
        pending.onComplete(first::tryComplete, first::tryFail);
        first.future().onComplete(done -> context.runOnContext(v -> {
            vertx.cancelTimer(timer);
            then.accept(done);
        }));
    }

    /** The futures of other libraries wrap what they failed with, and the delivery wants to see {@link RetryLater} and its like. */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException || failure instanceof ExecutionException
                ? failure.getCause()
                : null;
        return cause == null ? failure : cause;
    }

    private void acknowledge(AsyncResult<?> commit, @Nullable Throwable failure) {
        Receipt receipt = commit.failed()
                ? Receipt.of(pushes, 0, unwrapped(commit.cause()))
                : Receipt.of(pushes, handled, unwrapped(failure));
        message.body().end();
        if (receipt.failed() != null && LOG.isDebugEnabled()) {
            // The delivery logs what it keeps of a failure, which is a line. Where it was thrown is known nowhere else.
            LOG.atDebug()
                    .addKeyValue("consumer", consumer.name())
                    .addKeyValue("seq", receipt.failed().seq())
                    .log(
                            "{}: failed at {}: {}",
                            consumer.name(),
                            pushes.get(receipt.handled().size()),
                            FailureTrace.of(receipt.failed().cause()));
        }
        message.reply(receipt, LOCAL);
    }
}
