package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The code of a named, durable subscription: extend this class, implement {@link #handle}, put the jar into {@code
 * plugins/} and name the class under {@code consumers:}. It needs a public constructor without parameters.
 *
 * <p>The configuration ({@code threading}) decides what an instance runs on. By default it is a worker thread of its
 * own, which {@code handle} may block without holding up anyone but this instance; but it must not wait there for a
 * future of Vert.x's, which may need this very thread. {@code event-loop}: the thread is shared with others, the
 * receiver among them, and must never be blocked; return a future instead of waiting. {@code virtual-thread}: it may
 * block, also in {@code Future.await()}, and the instance's other calls go on meanwhile. Pushes of one lane come one
 * after the other, in the order of {@code seq}; pushes of different lanes may overlap while futures are pending. A push
 * comes again until it was handled, and may come again after a crash: use {@link Push#seq()} where that matters.
 *
 * <p>{@link #config()} has the settings under {@code options:}. An overridden {@link #start()} or {@link #stop()} must
 * end with the one of this class. If a start fails with an {@link IllegalArgumentException}, the configuration is
 * wrong, and the gateway's start is stopped; after any other failure the start is tried again, and pushes are kept for
 * the consumer meanwhile.
 */
public abstract class PushConsumer extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(PushConsumer.class);
    /** After this time the rest of a batch is given back, so that what was handled is acknowledged in time. */
    private static final long SHARE_NANOS = 100_000_000L;

    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private @Nullable ConsumerContext consumer;
    private int instance;
    private boolean subscribed;

    /**
     * Handles one push. It counts as handled when the future succeeds. A failed future, an exception, or no answer within
     * the consumer's {@code timeout} is a failed attempt, and the push comes again later; the pushes behind it in its lane
     * wait.
     *
     * @return null is a failure
     */
    protected abstract Future<?> handle(Push push);

    /**
     * Makes durable what {@link #handle} has done since the last call. The gateway calls it once after a run of handled
     * pushes. They count as handled when its future succeeds; when it fails, all of them come again, one by one (after a
     * {@link RetryLater} only the first), so that a push whose commit fails alone is found. Use it for what is expensive
     * and needed only once for many pushes: a sync, a transaction's commit. It may take the consumer's {@code timeout}
     * once more. A run also ends before a push that fails: {@link #handle} has to undo what that one did, and nothing of
     * the others, before it returns. What was collected for a commit that fails is to be forgotten. If futures of {@link
     * #handle} or of this method are pending, runs of several lanes overlap on one instance: when the commit of one fails
     * and rolls back work of another lane, and that lane's commit then succeeds, that work is acknowledged and lost. By
     * default it does nothing.
     *
     * @return null is a failure
     */
    protected Future<?> commit() {
        return Future.succeededFuture();
    }

    /** The consumer's name in the configuration. */
    protected final String name() {
        return consumer().name();
    }

    /** The consumer's name and settings, as the gateway told it. */
    protected final ConsumerContext consumer() {
        return Objects.requireNonNull(consumer, "a consumer is bound before it is deployed");
    }

    /** The access token of the platform's API. Available from the consumer's start on. */
    protected final AccessTokens accessTokens() {
        return new AccessTokens(vertx);
    }

    /** Tells the consumer about itself. Called once, by the gateway, before it is deployed. */
    public final void bind(ConsumerContext context) {
        bind(context, 0);
    }

    /** The same for one of several instances, which are counted from 0. */
    public final void bind(ConsumerContext context, int number) {
        consumer = context;
        instance = number;
    }

    /** Whether {@link #start()} of this class has run. */
    public final boolean subscribed() {
        return subscribed;
    }

    @Override
    public Future<?> start() throws Exception {
        vertx.eventBus().<PushBatch>localConsumer(consumer().address(instance)).handler(this::take);
        subscribed = true;
        return Future.succeededFuture();
    }

    private void take(Message<PushBatch> message) {
        new BatchExecution(message).run();
    }

    /** One {@link PushBatch} on its way through a consumer: its pushes are handled in turn, on the consumer's context. */
    private final class BatchExecution {
        private final Message<PushBatch> message;
        private final List<Push> pushes;
        private final long started = System.nanoTime();
        private int handled;

        BatchExecution(Message<PushBatch> message) {
            this.message = message;
            this.pushes = message.body().pushes();
        }

        /**
         * Handles pushes as long as their futures complete at once; a pending one calls this again when it completes.
         */
        void run() {
            while (goesOn()) {
                Push push = pushes.get(handled);
                Future<?> attempt = called("handle", () -> handle(push));
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

        /** Calls a method of the consumer. A null result or an exception becomes a failure. */
        private static Future<?> called(String method, Supplier<Future<?>> call) {
            try {
                Future<?> returned = call.get();
                return returned != null
                        ? returned
                        : Future.failedFuture(
                                new IllegalStateException(method + " returned null (expected: a Future)"));
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

        /** Replies with the receipt, after what was handled is committed. */
        private void reply(@Nullable Throwable failure) {
            message.body().calls();
            Future<?> commit = handled == 0 ? Future.succeededFuture() : called("commit", PushConsumer.this::commit);
            if (commit.isComplete()) {
                acknowledge(commit, failure);
            } else {
                await(commit, done -> acknowledge(done, failure));
            }
        }

        /**
         * Waits for a future, but no longer than the timeout. {@code then} is called on the consumer's context,
         * wherever the future completes.
         */
        private void await(Future<?> pending, Consumer<AsyncResult<?>> then) {
            Promise<Object> first = Promise.promise();
            // Future.timeout() may use a timer of another thread.
            long millis = consumer().timeout().toMillis();
            long timer = vertx.setTimer(
                    millis, late -> first.tryFail(new TimeoutException("not done within " + millis + " ms")));
            pending.onComplete(first::tryComplete, first::tryFail);
            first.future()
                    .onComplete(done -> context.runOnContext(v -> {
                        vertx.cancelTimer(timer);
                        then.accept(done);
                    }));
        }

        /**
         * The failure without the wrappers that futures of other libraries put around it: the delivery looks for {@link
         * RetryLater} and its like. Of a batch of statements the driver's own failure says what is wrong within the length that
         * is shown; the wrapper's message begins with the statement and its values.
         */
        private static Throwable unwrapped(Throwable failure) {
            Throwable cause = isWrapper(failure) ? failure.getCause() : null;
            return cause == null ? failure : unwrapped(cause);
        }

        private static boolean isWrapper(Throwable failure) {
            return failure instanceof CompletionException
                    || failure instanceof ExecutionException
                    // A Java made with jlink may lack java.sql.
                    || failure.getClass().getName().equals("java.sql.BatchUpdateException");
        }

        private void acknowledge(AsyncResult<?> commit, @Nullable Throwable failure) {
            Receipt receipt = commit.failed()
                    ? Receipt.ofUncommitted(pushes, handled, unwrapped(commit.cause()))
                    : Receipt.of(pushes, handled, failure == null ? null : unwrapped(failure));
            message.body().end();
            if (receipt.failed() != null && LOG.isDebugEnabled()) {
                // The delivery logs one line of a failure. Only here is it known where it was thrown.
                LOG.atDebug()
                        .addKeyValue("consumer", name())
                        .addKeyValue("seq", receipt.failed().seq())
                        .log(
                                "{}: failed at {}: {}",
                                name(),
                                pushes.get(receipt.handled().size()),
                                FailureTrace.of(receipt.failed().cause()));
            }
            message.reply(receipt, LOCAL);
        }
    }
}
