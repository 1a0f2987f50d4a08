package dev.holdfast.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Random consumers, lanes, failures, time-outs, stops, crashes, retries and replays against a model, with limits so small
 * that lanes overflow all the time. More plays: {@code -Djqwik.tries.default=500}. A seed makes the same plan again; how
 * the threads run differs from play to play.
 */
class DeliveryModelTest {
    private static final Limits SMALL = new Limits(32, 16, 8, 4, 8, 4, 16, 10);

    @Provide
    Arbitrary<Plan> plans() {
        return Plans.any();
    }

    @Property(shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
    void everyPushArrivesInOrderInItsLane(@ForAll("plans") Plan plan) throws IOException {
        Path directory = Files.createTempDirectory("model");
        try {
            new Play(plan, SMALL, directory).run(plan.steps());
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }
}
