package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.Store;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What all of the delivery shares.
 *
 * @param context the delivery's event loop
 * @param reader where the disk is read
 * @param receiving whether pushes come in at the moment
 */
record DeliveryContext(
        Vertx vertx,
        Context context,
        WorkerExecutor reader,
        Journal journal,
        Store store,
        MeterRegistry registry,
        BusinessData businessData,
        PushWatcher watcher,
        PushTracer tracer,
        Limits limits,
        BooleanSupplier receiving) {
    /** What the store keeps, on the delivery's event loop. */
    <T> Future<T> durable(CompletionStage<T> kept) {
        return Future.fromCompletionStage(kept, context);
    }

    /** Reads what is delivered. */
    <T> Future<T> reading(Callable<T> action) {
        return reader.executeBlocking(action, false);
    }

    /** Reads what somebody wants to see: those who deliver don't wait for it. */
    <T> Future<T> viewing(Callable<T> action) {
        return vertx.executeBlocking(action, false);
    }

    /** Reads what is given up, which may take long: one at a time, and those who deliver don't wait for it. On the event loop. */
    <T> Future<T> givingUp(Callable<T> action) {
        return vertx.executeBlocking(action);
    }

    /** Runs something on the delivery's event loop; what it throws is a failure too. Any thread. */
    <T> Future<T> onContext(Supplier<Future<T>> action) {
        return Future.future(done -> context.runOnContext(
                v -> Future.succeededFuture().compose(now -> action.get()).onComplete(done)));
    }
}
