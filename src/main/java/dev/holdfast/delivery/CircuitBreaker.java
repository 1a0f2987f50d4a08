package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.retry.Backoff;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows a consumer as a whole that fails one push after the other: after some failed attempts in a row only so many are begun
 * after each wait, and all again when a push is handled. On the delivery's event loop.
 *
 * <pre>
 * from       what happens                      to
 * CLOSED     so many failures in a row         OPEN, and a wait begins
 * OPEN       the wait is over                  HALF_OPEN: one attempt, then two, four, ...; and a longer wait begins
 * HALF_OPEN  the wait is over                  HALF_OPEN: as many attempts again, and a longer wait begins
 * HALF_OPEN  as many attempts have begun       OPEN
 * HALF_OPEN  one fails for good                OPEN: one attempt after the next wait
 * any        a push is handled                 CLOSED
 * </pre>
 *
 * Since one stuck lane tells nothing of the others, it differs from others of its kind in three ways: while it is open, and fewer
 * different pushes than so many have failed, those never tried are tried all the same; from then on lanes whose last push was
 * handled are, which tells soonest whether the consumer fails everything; and after each wait in vain twice as many attempts are
 * made, since pushes that would be handled may wait behind many that fail.
 */
final class CircuitBreaker {
    /** Attempts that fail in a row until it opens, and different pushes that fail in a row until it is the consumer's fault. */
    static final int THRESHOLD = 10;

    /** Lanes that are remembered to work, and attempts made in vain at the most when the consumer begins to fail everything. */
    private static final int WORKING = 16;

    /** So many attempts are made after a wait at the most. */
    static final int MOST_TRIALS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    enum State {
        CLOSED,
        OPEN,
        HALF_OPEN;

        /** As it is shown, e.g. {@code half-open}. */
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final String consumer;
    private final Vertx vertx;
    private final Runnable onWaited;
    private final Backoff backoff;
    /** The keys of lanes that handled what they had last, the newest last. */
    private final Set<String> working = new LinkedHashSet<>();

    private volatile State state = State.CLOSED;
    /** Attempts, and different pushes, that have failed since one was handled. */
    private int failures;

    private int failedPushes;
    /** When it last stopped failing everything. */
    private long workingSince = System.nanoTime();
    /** How many waits have begun since it was closed. */
    private int waits;
    /** Attempts that may begin after the next wait, and those that still may before it. */
    private int trials = 1;

    private int trialsLeft;
    /** The one of the wait; -1: none, for Vert.x counts them from 0. */
    private long timer = -1;

    private boolean stopped;

    /** @param onWaited attempts may begin again */
    CircuitBreaker(String consumer, RetryConfig retry, Vertx vertx, Runnable onWaited) {
        this.consumer = consumer;
        this.vertx = vertx;
        this.onWaited = onWaited;
        Duration most = retry.maxDelay();
        this.backoff = Backoff.doubling(FIRST_WAIT, most.compareTo(LONGEST_WAIT) < 0 ? most : LONGEST_WAIT);
    }

    /** Any thread. */
    State state() {
        return state;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether only those attempts may begin that may whatever the others do. */
    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether many different pushes have failed, with none handled between them: it isn't the pushes then. */
    boolean failsEverything() {
        return failedPushes >= THRESHOLD;
    }

    /** When the consumer last stopped failing everything, or its delivery began, as {@link System#nanoTime} tells it. */
    long workingSince() {
        return workingSince;
    }

    /** Which wait in a row it is, 0: none. While the consumer fails everything a feed takes new pushes once in each, at the most. */
    int waits() {
        return waits;
    }

    /** The keys of lanes that may go on whatever the others do. */
    Set<String> working() {
        return working;
    }

    /** An attempt begins: while it is half open it is one of so many, and opens it again when it is the last. */
    void attemptBegins() {
        if (state == State.HALF_OPEN && --trialsLeft == 0) {
            trials = Math.min(MOST_TRIALS, 2 * trials);
            state = State.OPEN;
        }
    }

    /** Pushes of a lane were handled. */
    void handled(Lane lane) {
        working.remove(lane.key());
        working.add(lane.key());
        if (working.size() > WORKING) {
            working.remove(working.iterator().next());
        }
        if (failsEverything()) {
            workingSince = System.nanoTime();
        }
        failures = 0;
        failedPushes = 0;
        if (state != State.CLOSED) {
            state = State.CLOSED;
            waits = 0;
            trials = 1;
            vertx.cancelTimer(timer);
            LOG.atInfo()
                    .addKeyValue("consumer", consumer)
                    .log("{}: has handled a push again, attempts no longer wait", consumer);
        }
    }

    /**
     * An attempt at the first push of a lane has failed, or at several of which any may be the cause. The first of them that then
     * fails alone is taken for the same.
     *
     * @param permanently whether the push becomes a dead letter by it: after the next wait only one is tried, to make few of them
     */
    void failed(Lane lane, boolean permanently) {
        working.remove(lane.key());
        if (lane.failure() == null) {
            failedPushes++;
        }
        if (permanently && state != State.CLOSED) {
            trials = 1;
            state = State.OPEN;
        }
        if (++failures == THRESHOLD) {
            LOG.atWarn()
                    .addKeyValue("consumer", consumer)
                    .log(
                            "{}: {} attempts in a row have failed, the next ones wait until it handles a push",
                            consumer,
                            THRESHOLD);
            state = State.OPEN;
            await();
        }
    }

    /** Ends the waits, whose timers would keep a delivery that has ended in memory. */
    void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }

    private void await() {
        waits++;
        if (!stopped) {
            timer = vertx.setTimer(backoff.millis(waits), fired -> {
                trialsLeft = trials;
                state = State.HALF_OPEN;
                await();
                onWaited.run();
            });
        }
    }
}
