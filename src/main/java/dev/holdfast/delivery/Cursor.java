package dev.holdfast.delivery;

import dev.holdfast.journal.Journal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * How far a consumer has come, durably. Saved now and then rather than at each push; {@link #farBehind()} holds the consumer
 * back when saving doesn't keep up, so that the number of pushes that come again after a crash is bounded.
 */
final class Cursor {
    /** Pushes that may come again after a crash, beside those under way in the window. */
    static final int REDELIVERY_BOUND = 4096;

    private static final int SAVE_EVERY = 512;

    private final String consumer;
    private final Journal journal;
    private final Context context;
    private final Window window;
    private final Runnable onSaved;
    private volatile long durable;
    private long durablePassed;
    private Future<Void> saving = Future.succeededFuture();

    Cursor(String consumer, long durable, Journal journal, Context context, Window window, Runnable onSaved) {
        this.consumer = consumer;
        this.durable = durable;
        this.journal = journal;
        this.context = context;
        this.window = window;
        this.onSaved = onSaved;
    }

    /** The position that survives a crash. Any thread. */
    long durable() {
        return durable;
    }

    /** Whether too much lies between the window and what is saved. What a stuck push holds up in the window has no say. */
    boolean farBehind() {
        return window.passedCount() - durablePassed >= REDELIVERY_BOUND;
    }

    /** Saves when enough has been handled since the last time. */
    void advance() {
        if (window.passedCount() - durablePassed >= SAVE_EVERY) {
            saveIfIdle();
        }
    }

    /** Saves what has changed, unless a save is under way. */
    void saveIfIdle() {
        if (saving.isComplete()) {
            save();
        }
    }

    /** The future succeeds when everything handled before this call is durably known to be. */
    Future<Void> save() {
        if (!saving.isComplete()) {
            return saving.transform(before -> save());
        }
        long position = window.cursor();
        if (position != durable) {
            saving = write(position, window.passedCount());
        }
        return saving;
    }

    private Future<Void> write(long position, long passed) {
        Promise<Void> written = Promise.promise();
        journal.saveCursor(consumer, position)
                .whenComplete((done, failure) -> context.runOnContext(v -> {
                    if (failure != null) {
                        written.fail(failure);
                        return;
                    }
                    durable = position;
                    durablePassed = passed;
                    written.complete();
                    onSaved.run();
                }));
        return written.future();
    }
}
