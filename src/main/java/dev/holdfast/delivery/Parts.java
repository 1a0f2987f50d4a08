package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushWatcher;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;

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
        MeterRegistry registry,
        BusinessData businessData,
        PushWatcher watcher,
        Bounds bounds) {
    EventBus bus() {
        return vertx.eventBus();
    }
}
