package dev.holdfast.delivery;

import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.store.Store;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;

/** What the delivery's parts share, for tests of single parts: nothing watches, nothing comes in. */
final class TrialContext {
    private TrialContext() {}

    /** With the journal's own store. */
    static DeliveryContext of(Vertx vertx, TrialJournal journal) {
        return of(vertx, journal, journal);
    }

    static DeliveryContext of(Vertx vertx, TrialJournal journal, Store store) {
        return new DeliveryContext(
                vertx,
                vertx.getOrCreateContext(),
                vertx.createSharedWorkerExecutor("reader", 1),
                journal,
                store,
                new SimpleMeterRegistry(),
                new BusinessData(null),
                PushWatcher.NONE,
                PushTracer.NONE,
                Limits.STANDARD,
                () -> false);
    }
}
