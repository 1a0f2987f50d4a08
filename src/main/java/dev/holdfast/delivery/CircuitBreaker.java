package dev.holdfast.delivery;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.retry.Backoff;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows a consumer as a whole that fails one push after the other: after some failed attempts in a row none is made for a
 * while, then one, and all again when a push is handled. Since one stuck lane tells nothing of the others, it differs from others
 * of its kind in three ways: until so many different pushes have failed, those never tried are tried at once; lanes whose last
 * push was handled go on, which tells soonest whether the consumer fails everything; and after each wait in vain twice as many
 * attempts are made, since pushes that would be handled may wait behind many that fail. On the delivery's event loop.
 *
 * <pre>
 * from       what happens                      to
 * CLOSED     so many failures in a row         OPEN
 * OPEN       the wait is over                  HALF_OPEN: one attempt, then two, four, ...
 * HALF_OPEN  so many fail                      OPEN, for longer
 * HALF_OPEN  fewer attempts are made           HALF_OPEN, and a wait begins again
 * any        a push is handled                 CLOSED
 * </pre>
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
    private final Runnable onTrial;
    private final Backoff backoff;
    /** The keys of lanes that handled what they had last, the newest last. */
    private final Set<String> working = new LinkedHashSet<>();

    private volatile State state = State.CLOSED;
    private int failures;
    private int failedPushes;
    /** How often in a row it was opened. */
    private int openings;
    /** How often a wait has begun. */
    private int waits;

    /** The keys of lanes with an attempt that was permitted since the last wait and is under way. */
    private final Set<String> trials = new HashSet<>();

    /** Attempts that may still fail until it waits again, and those that the next wait permits. */
    private int trialsLeft;

    private int trialsPermitted = 1;
    /** The one of the wait; -1: none, for Vert.x counts them from 0. */
    private long timer = -1;

    private boolean stopped;

    /** @param onTrial an attempt may be made after a while without */
    CircuitBreaker(String consumer, RetryConfig retry, Vertx vertx, Runnable onTrial) {
        this.consumer = consumer;
        this.vertx = vertx;
        this.onTrial = onTrial;
        Duration most = retry.maxDelay();
        this.backoff = Backoff.doubling(FIRST_WAIT, most.compareTo(LONGEST_WAIT) < 0 ? most : LONGEST_WAIT);
    }

    /** Whether an attempt may be made now though it is not closed. */
    boolean permitsTrial() {
        return state == State.HALF_OPEN && trials.size() < trialsLeft;
    }

    /** Such an attempt begins. */
    void trialBegins(String lane) {
        trials.add(lane);
    }

    /** It is over: another may be made in its place where it came to nothing. */
    void trialEnds(String lane) {
        trials.remove(lane);
    }

    /** Any thread. */
    State state() {
        return state;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether many different pushes have failed, with none handled between them: it isn't the pushes then. */
    boolean failsEverything() {
        return failedPushes >= THRESHOLD;
    }

    /** Another number with each wait: while it fails everything, a feed takes new pushes once in each at the most. */
    int waits() {
        return waits;
    }

    /** The keys of lanes that may go on whatever the others do. */
    Iterable<String> working() {
        return working;
    }

    /** Pushes of a lane were handled. */
    void handled(String lane) {
        working.remove(lane);
        working.add(lane);
        if (working.size() > WORKING) {
            working.remove(working.iterator().next());
        }
        failures = 0;
        failedPushes = 0;
        trials.clear();
        trialsPermitted = 1;
        openings = 0;
        if (state != State.CLOSED) {
            state = State.CLOSED;
            vertx.cancelTimer(timer);
            LOG.atInfo()
                    .addKeyValue("consumer", consumer)
                    .log("{}: has handled a push again, attempts no longer wait", consumer);
        }
    }

    /**
     * An attempt has failed.
     *
     * @param again whether the push has failed before
     * @param permanently whether the push becomes a dead letter by it: after the next wait only one is tried, to make few of them
     */
    void failed(String lane, boolean again, boolean permanently) {
        working.remove(lane);
        failures++;
        if (!again) {
            failedPushes++;
        }
        if (state == State.HALF_OPEN) {
            trials.remove(lane);
            trialsLeft--;
            if (permanently) {
                trialsPermitted = 1;
                open();
            } else if (trialsLeft == 0) {
                trialsPermitted = Math.min(MOST_TRIALS, 2 * trialsPermitted);
                open();
            }
        } else if (state == State.CLOSED && failures >= THRESHOLD) {
            LOG.atWarn()
                    .addKeyValue("consumer", consumer)
                    .log(
                            "{}: {} attempts in a row have failed, the next ones wait until it handles a push",
                            consumer,
                            THRESHOLD);
            open();
        }
    }

    private void open() {
        state = State.OPEN;
        trials.clear();
        trialsLeft = trialsPermitted;
        openings++;
        await();
    }

    /** Ends the waits, whose timers would keep a delivery that has ended in memory. */
    void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }

    private void await() {
        waits++;
        vertx.cancelTimer(timer);
        if (!stopped) {
            timer = vertx.setTimer(backoff.millis(openings), fired -> {
                state = State.HALF_OPEN;
                await();
                onTrial.run();
            });
        }
    }
}
