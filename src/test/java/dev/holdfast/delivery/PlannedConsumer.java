package dev.holdfast.delivery;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A consumer of a plan; tells what the model expects of it. */
record PlannedConsumer(
        String name,
        List<String> events,
        boolean ordered,
        int concurrency,
        int instances,
        Duration timeout,
        @Nullable Integer maxAttempts) {
    ConsumerConfig config() {
        return new ConsumerConfig(
                name,
                events,
                "planned",
                ConsumerConfig.Start.EARLIEST,
                ordered ? List.of("/nothing", "/group") : List.of(),
                concurrency,
                instances,
                ConsumerConfig.Threading.WORKER,
                timeout,
                new RetryConfig(Duration.ofMillis(1), 2, Duration.ofMillis(4), 0.5, maxAttempts, null),
                Duration.ofDays(14),
                Map.of(),
                Map.of());
    }

    boolean wants(PlannedPush push) {
        String event = push.event();
        String family = event.substring(0, event.indexOf('.'));
        return events.contains("*") || events.contains(event) || events.contains(family + ".*");
    }

    String lane(PlannedPush push) {
        boolean grouped = ordered && push.group() > 0;
        String event = push.event();
        return push.enterprise() + (grouped ? "/" + push.group() : event.substring(0, event.indexOf('.')));
    }

    /** How many attempts make a dead letter of a push that nobody mends; 0: none ever do. */
    int fatalAttempts(PlannedPush push) {
        if (push.fate() == PlannedPush.Fate.PERMANENT) {
            return 1;
        }
        return maxAttempts != null && push.fate().passes() && push.failures() >= maxAttempts ? maxAttempts : 0;
    }

    boolean sticksAt(PlannedPush push) {
        return push.fate() == PlannedPush.Fate.STUCK && maxAttempts == null;
    }
}
