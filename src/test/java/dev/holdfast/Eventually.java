package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.awaitility.pollinterval.IterativePollInterval;

/** How the tests wait for what is to become true: by Awaitility, on the waiting thread, without a delay before the first look. */
public final class Eventually {
    private static final Duration TIMEOUT = Duration.ofSeconds(45);

    private static final Duration SHORTEST = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofMillis(50);

    private Eventually() {}

    /** Tries an assertion again and again until it holds; the last failure is the test's when time is up. */
    public static void eventually(ThrowingRunnable assertion) {
        await(TIMEOUT).untilAsserted(assertion);
    }

    private static Duration longer(Duration interval) {
        Duration next = interval.multipliedBy(5).dividedBy(4);
        return next.compareTo(LONGEST) < 0 ? next : LONGEST;
    }

    /** Looks at a cheap condition again and again until it holds. */
    public static void until(Callable<Boolean> condition) {
        await(TIMEOUT).pollInterval(Duration.ofMillis(1)).until(condition);
    }

    /**
     * The longer it takes the seldomer it looks: whoever looks at a gateway's metrics takes the machine from what is waited for.
     * What other threads fail with is no concern of it: many tests are about such failures.
     */
    public static ConditionFactory await(Duration atMost) {
        return Awaitility.with()
                .pollInSameThread()
                .dontCatchUncaughtExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(IterativePollInterval.iterative(Eventually::longer, SHORTEST))
                .atMost(atMost);
    }
}
