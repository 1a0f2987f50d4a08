package dev.holdfast;

import dev.holdfast.journal.Retention;
import dev.holdfast.management.TrafficHistory;
import dev.holdfast.supervision.NativeMemory;
import java.time.Clock;
import java.util.concurrent.TimeUnit;

/** What a running gateway does again and again, by its clock. */
final class Upkeep {
    private static final long EVERY_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long LEDGER_MILLIS = 1_000;
    /** The first timer that Vert.x gives away is 0. */
    private static final long NONE = -1;

    private final Wiring wired;
    private volatile long minutely = NONE;

    Upkeep(Wiring wired) {
        this.wired = wired;
    }

    void start() {
        wired.vertx.setPeriodic(LEDGER_MILLIS, timer -> wired.store.ledger().write());
        wired.vertx.setPeriodic(
                TrafficHistory.PERIOD_MILLIS,
                timer -> wired.vertx.executeBlocking(
                        () -> {
                            wired.history.sample();
                            return null;
                        },
                        false));
        Retention retention =
                new Retention(wired.journal, wired.config.journal(), wired.delivery::neededFrom, Clock.systemUTC());
        minutely = wired.vertx.setPeriodic(
                EVERY_MILLIS,
                timer -> wired.vertx.executeBlocking(() -> {
                    retention.run();
                    wired.store.deadLetters().expire();
                    wired.quarantine.expire();
                    NativeMemory.trim();
                    return null;
                }));
    }

    /** Nothing is removed any more. */
    void stop() {
        wired.vertx.cancelTimer(minutely);
    }
}
