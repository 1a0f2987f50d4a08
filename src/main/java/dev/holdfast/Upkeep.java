package dev.holdfast;

import dev.holdfast.journal.Retention;
import dev.holdfast.management.TrafficHistory;
import dev.holdfast.supervision.NativeMemory;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a running gateway does by its clock. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final long EVERY_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long LEDGER_MILLIS = 1_000;
    /** The first timer that Vert.x gives away is 0. */
    private static final long NONE = -1;

    private final Wiring wired;
    private volatile long ledger = NONE;
    private volatile long history = NONE;
    private volatile long minutely = NONE;
    private volatile long classes = NONE;

    Upkeep(Wiring wired) {
        this.wired = wired;
    }

    void start() {
        ledger = wired.vertx.setPeriodic(
                LEDGER_MILLIS, timer -> wired.store.ledger().write());
        history = wired.vertx.setPeriodic(
                TrafficHistory.PERIOD_MILLIS,
                timer -> wired.vertx.executeBlocking(Executors.callable(wired.history::sample), false));
        Retention retention = new Retention(wired.journal, wired.config.journal(), wired.delivery, Clock.systemUTC());
        minutely = wired.vertx.setPeriodic(
                EVERY_MILLIS,
                timer -> wired.vertx.executeBlocking(() -> {
                    minutely("retention", retention);
                    minutely("dead letters", wired.store.deadLetters()::expire);
                    minutely("quarantine", wired.quarantine::expire);
                    minutely("memory", NativeMemory::trim);
                    return null;
                }));
        classes = ClassesAhead.loadSoon(wired.vertx, wired.config.receiver().http2());
    }

    /** One that fails, be it with an Error, keeps no other from its turn, nor itself from the next one. */
    static void minutely(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("the upkeep failed, and is tried again in a minute: {}: {}", what, e.toString());
        }
    }

    /** Nothing is removed any more. */
    void stop() {
        wired.vertx.cancelTimer(minutely);
    }

    /** Nothing is counted any more. Vert.x takes no more work while it closes, though timers that were left would still fire. */
    void end() {
        wired.vertx.cancelTimer(ledger);
        wired.vertx.cancelTimer(history);
        wired.vertx.cancelTimer(classes);
    }
}
