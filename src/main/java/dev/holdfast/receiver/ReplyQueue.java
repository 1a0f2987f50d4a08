package dev.holdfast.receiver;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings what the journal decided back to the event loop that holds the requests: a whole commit's answers with one
 * wake-up of the loop instead of one each.
 */
final class ReplyQueue {
    private final Context context;
    private final Queue<Runnable> decided = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    ReplyQueue(Context context) {
        this.context = context;
    }

    /** Runs {@code answer} on the event loop soon. Any thread. */
    void add(Runnable answer) {
        decided.add(answer);
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                context.runOnContext(v -> give());
            } catch (RuntimeException | Error e) {
                // Nobody comes: whoever adds the next answer asks again.
                scheduled.set(false);
                throw e;
            }
        }
    }

    /** One that fails keeps the others from nothing. */
    private void give() {
        scheduled.set(false);
        try {
            for (Runnable answer = decided.poll(); answer != null; answer = decided.poll()) {
                answer.run();
            }
        } finally {
            if (!decided.isEmpty()) {
                schedule();
            }
        }
    }
}
