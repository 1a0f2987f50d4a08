package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** How the tests wait for what is to become true: by Awaitility, on the waiting thread, without a delay before the first look. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private Eventually() {}

    /** Tries an assertion again and again until it holds; the last failure is the test's when time is up. */
    public static void eventually(ThrowingRunnable assertion) {
        await(PATIENCE, Duration.ofMillis(5)).untilAsserted(assertion);
    }

    /** Looks at a cheap condition again and again until it holds. */
    public static void until(Callable<Boolean> condition) {
        await(PATIENCE, Duration.ofMillis(1)).until(condition);
    }

    /** What other threads fail with is no concern of it: many tests are about such failures. */
    public static ConditionFactory await(Duration atMost, Duration interval) {
        return Awaitility.with()
                .pollInSameThread()
                .dontCatchUncaughtExceptions()
                .pollDelay(Duration.ZERO)
                .pollInterval(interval)
                .atMost(atMost);
    }
}
