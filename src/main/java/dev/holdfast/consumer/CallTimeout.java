package dev.holdfast.consumer;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Awaits the futures of one batch, one after the other, none longer than the consumer's {@code timeout}. There is one timer
 * for all of them: one for each costs more than many a consumer does. On the consumer's context.
 */
final class CallTimeout {
    private final Vertx vertx;
    private final Context context;
    private final long timeoutNanos;
    /** What is to be told of the present future; null while there is none. */
    private @Nullable Consumer<AsyncResult<?>> next;

    private long turn;
    private long deadline;
    private @Nullable Long timer;

    CallTimeout(Vertx vertx, Context context, Duration timeout) {
        this.vertx = vertx;
        this.context = context;
        this.timeoutNanos = timeout.toNanos();
    }

    /** Once the last one has ended; {@code then} is called on the consumer's context, wherever this one ends. */
    void await(Future<?> pending, Consumer<AsyncResult<?>> then) {
        long mine = ++turn;
        next = then;
        deadline = System.nanoTime() + timeoutNanos;
        if (timer == null) {
            check(timeoutNanos);
        }
        pending.onComplete(done -> context.runOnContext(v -> ended(mine, done)));
    }

    /** Nothing more is awaited. */
    void end() {
        if (timer != null) {
            vertx.cancelTimer(timer);
            timer = null;
        }
    }

    /** What ends after its time has been told to have failed. */
    private void ended(long which, AsyncResult<?> done) {
        Consumer<AsyncResult<?>> then = next;
        if (which == turn && then != null) {
            next = null;
            then.accept(done);
        }
    }

    private void check(long afterNanos) {
        timer = vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(afterNanos) + 1, fired -> {
            timer = null;
            long left = deadline - System.nanoTime();
            if (left > 0) {
                check(left);
            } else {
                String late = "not done within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms";
                ended(turn, Future.failedFuture(new TimeoutException(late)));
            }
        });
    }
}
