package dev.holdfast.delivery;

import dev.holdfast.store.Cursors;
import dev.holdfast.store.Progress;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * How far a consumer has come, durably. Saved now and then rather than at each push; {@link #farBehind()} holds the consumer
 * back when saving doesn't keep up, so that the number of pushes that come again after a crash is bounded.
 */
final class Cursor {
    private final String consumer;
    private final Cursors cursors;
    private final Context context;
    private final Lanes lanes;
    private final Bounds bounds;
    private final Runnable onSaved;
    private volatile Progress durable;
    private long durableHandled;
    /** What comes back later is the next life's. */
    private boolean finished;

    private long window;
    private Future<Void> saving = Future.succeededFuture();

    Cursor(String consumer, Progress durable, Parts parts, Lanes lanes, Runnable onSaved) {
        this.consumer = consumer;
        this.durable = durable;
        this.cursors = parts.store().cursors();
        this.context = parts.context();
        this.bounds = parts.bounds();
        this.window = bounds.window();
        this.lanes = lanes;
        this.onSaved = onSaved;
    }

    /** What survives a crash. Any thread. */
    Progress durable() {
        return durable;
    }

    /** Whether too much was handled since the last save. */
    boolean farBehind() {
        return lanes.handledCount() - durableHandled >= bounds.redelivery();
    }

    /** Saves when enough has been handled since the last time: soon the consumer would have to wait for it. */
    void advance() {
        if (lanes.handledCount() - durableHandled >= bounds.saveEvery()) {
            saveIfIdle(true);
        }
    }

    /** Saves what has changed, unless a save is under way. */
    void saveIfIdle() {
        saveIfIdle(false);
    }

    private void saveIfIdle(boolean urgent) {
        if (!finished && saving.isComplete()) {
            save(urgent);
        }
    }

    private void save(boolean urgent) {
        Progress progress = lanes.progress(window);
        if (progress.equals(durable)) {
            durableHandled = lanes.handledCount();
        } else {
            saving = write(progress, lanes.handledCount(), urgent);
        }
    }

    /** The last save: when it has succeeded nothing that was handled comes again. */
    Future<Void> finish() {
        window = 0;
        finished = true;
        return saving.transform(before -> {
            save(true);
            return saving;
        });
    }

    private Future<Void> write(Progress progress, long handled, boolean urgent) {
        Promise<Void> written = Promise.promise();
        cursors.save(consumer, progress, urgent)
                .whenComplete((done, failure) -> context.runOnContext(v -> {
                    if (failure != null) {
                        written.fail(failure);
                        return;
                    }
                    durable = progress;
                    durableHandled = handled;
                    written.complete();
                    onSaved.run();
                }));
        return written.future();
    }
}
