package dev.holdfast.token;

import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Time as it passes, with the timers of Vert.x. */
final class VertxTiming implements Timing {
    private final Vertx vertx;
    private final Clock clock;

    VertxTiming(Vertx vertx, Clock clock) {
        this.vertx = vertx;
        this.clock = clock;
    }

    @Override
    public Instant wall() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        long timer = vertx.setTimer(delay.toMillis(), id -> action.run());
        return () -> vertx.cancelTimer(timer);
    }
}
