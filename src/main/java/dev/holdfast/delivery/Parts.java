package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.util.function.Supplier;

/**
 * What all subscriptions share.
 *
 * @param context the delivery's event loop
 * @param reader where the journal is read
 */
record Parts(
        Vertx vertx,
        Context context,
        WorkerExecutor reader,
        Journal journal,
        Store store,
        MeterRegistry registry,
        BusinessData businessData,
        PushWatcher watcher,
        Bounds bounds) {
    EventBus bus() {
        return vertx.eventBus();
    }

    /** Runs something on the delivery's event loop; what it throws is a failure too. Any thread. */
    <T> Future<T> onContext(Supplier<Future<T>> action) {
        Promise<T> done = Promise.promise();
        context.runOnContext(
                v -> Future.succeededFuture().compose(now -> action.get()).onComplete(done));
        return done.future();
    }
}
