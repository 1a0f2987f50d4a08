package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named, durable subscription's code: extend it, implement {@link #handle}, put the jar into {@code plugins/} and name the
 * class under {@code consumers:}. It needs a public constructor without parameters.
 *
 * <p>What an instance of a consumer runs on is configuration ({@code threading}). By default that is a worker thread of its own:
 * {@code handle} may block without holding up anyone but this instance. {@code event-loop}: it shares a thread with others, the
 * receiver among them, and must never block; what it has to wait for it returns as a future. {@code virtual-thread}: it may block,
 * {@code Future.await()} included, and its other calls go on meanwhile. Pushes of one lane come one after the other, in the order
 * of {@code seq}; pushes of different lanes may overlap while futures are pending. A push comes again until it was handled, and may
 * come again after a crash: use {@link Push#seq()} where that matters.
 *
 * <p>{@link #config()} holds what stands under {@code options:}. A consumer that overrides {@link #start()} or
 * {@link #stop()} must end with the one of this class. A start that fails with an {@link IllegalArgumentException} says
 * that the configuration is wrong, which stops the gateway's start; any other failure is tried again, with pushes kept for
 * the consumer meanwhile.
 */
public abstract class PushConsumer extends VerticleBase {
    private @Nullable ConsumerContext consumer;
    private @Nullable MessageConsumer<PushBatch> subscription;
    private int instance;

    /** Its methods, which only this class can call, for {@link BatchExecution}. */
    private final BatchExecution.Calls calls = new BatchExecution.Calls() {
        @Override
        public String name() {
            return PushConsumer.this.name();
        }

        @Override
        public Future<?> handle(Push push) {
            return PushConsumer.this.handle(push);
        }

        @Override
        public Future<?> commit() {
            return PushConsumer.this.commit();
        }
    };

    /**
     * Handles one push. It counts as handled when the future succeeds. A failed future, an exception, or no answer within
     * the consumer's {@code timeout} is a failed attempt, and the push comes again later; the pushes behind it in its lane
     * wait.
     *
     * @return null is a failure
     */
    protected abstract Future<?> handle(Push push);

    /**
     * Makes lasting what {@link #handle} has done since this was last called. The gateway calls it once behind a row of
     * handled pushes, and they count as handled when its future succeeds; when it fails, all of them come again. It is the
     * place for what is dear and needed once for many pushes: a sync, a transaction's commit. It may take the consumer's
     * {@code timeout} once more. Where futures of {@link #handle} are pending, rows of several lanes overlap on one instance: what
     * a failed commit of one rolls back is lost if another lane's commit then succeeds and acknowledges it. Here there is nothing
     * to do.
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

    /** What the consumer was told about itself. */
    protected final ConsumerContext consumer() {
        return Objects.requireNonNull(consumer, "a consumer is bound before it is deployed");
    }

    /** The access token of the platform's API. Once the consumer is being started. */
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
        return subscription != null;
    }

    @Override
    public Future<?> start() throws Exception {
        MessageConsumer<PushBatch> batches =
                vertx.eventBus().localConsumer(consumer().address(instance));
        subscription = batches.handler(this::take);
        return Future.succeededFuture();
    }

    private void take(Message<PushBatch> message) {
        new BatchExecution(calls, message, vertx, context, consumer().timeout()).run();
    }
}
